#include "sim/objects/store.h"

#include <gtest/gtest.h>

#include "base/text/base64.h"
#include "sim/events/event.h"
#include "sim/objects/bill.h"
#include "sim/objects/listing.h"

namespace sim::objects {
namespace {

constexpr std::size_t kMebibyte = 1024 * 1024;

std::string error_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const ApiError& error) {
    return error.code();
  }
  return "";
}

Body body(std::string bytes) { return Body(std::make_shared<Blob>(std::move(bytes))); }

std::string text(const Body& body) {
  std::string out;
  each_part(body, [&](std::span<const char> part) { out.append(part.data(), part.size()); });
  return out;
}

class StoreTest : public testing::Test {
 protected:
  void SetUp() override { store.create_bucket("bucket"); }
  const Object& put(const std::string& key, std::string bytes) {
    Object object{.body = body(std::move(bytes))};
    return store.put("bucket", key, std::move(object));
  }
  NamedPart part(const std::string& id, int number, std::string bytes) {
    const std::string md5 = digest_of(Algorithm::kMd5, bytes);
    store.put_part("bucket", id, "key", number, {.body = body(std::move(bytes)), .md5 = md5});
    return {number, '"' + to_hex(md5) + '"'};
  }
  std::string begin() { return store.begin_upload("bucket", {.key = "key"}); }
  void pass(Duration d) { simulation.run_until(simulation.now() + d); }

  Simulation simulation{parse_time("2019-11-05T10:00:00Z").value()};
  EventLog log;
  Streams streams{7};
  Store store{simulation, log, streams};
};

TEST_F(StoreTest, BucketsHaveNamesAsS3HasThem) {
  for (const char* name : {"abc", "a-b.c", "1bucket", "sagemaker-us-west-2-123456789012"})
    EXPECT_EQ(error_of([&] { store.create_bucket(name); }), "") << name;
  for (const char* name :
       {"", "ab", "Abc", "a_b", "-ab", "ab-", "a..b", "192.168.0.1", "xn--a", "a-s3alias"})
    EXPECT_EQ(error_of([&] { store.create_bucket(name); }), "InvalidBucketName") << name;
  EXPECT_EQ(error_of([&] { store.create_bucket(std::string(64, 'a')); }), "InvalidBucketName");
  EXPECT_EQ(error_of([&] { store.create_bucket("abc"); }), "BucketAlreadyOwnedByYou");
}

TEST_F(StoreTest, WhatWasPutIsWhatIsThere) {
  put("key", "one");
  pass(1s);
  EXPECT_EQ(put("key", "two").last_modified, simulation.now());
  EXPECT_EQ(text(store.object("bucket", "key").body), "two");
  EXPECT_TRUE(store.remove("bucket", "key"));
  EXPECT_FALSE(store.remove("bucket", "key"));
  EXPECT_EQ(error_of([&] { store.object("bucket", "key"); }), "NoSuchKey");
  EXPECT_EQ(error_of([&] { store.object("other", "key"); }), "NoSuchBucket");
}

TEST_F(StoreTest, ABucketThatHoldsSomethingStays) {
  put("key", "x");
  EXPECT_EQ(error_of([&] { store.delete_bucket("bucket"); }), "BucketNotEmpty");
  store.remove("bucket", "key");
  store.delete_bucket("bucket");
  EXPECT_EQ(error_of([&] { store.bucket("bucket"); }), "NoSuchBucket");
}

TEST_F(StoreTest, PartsBecomeAnObjectInTheOrderOfTheirNumbers) {
  const std::string id = begin();
  const std::string large(5 * kMebibyte, 'b');
  const NamedPart last = part(id, 7, "end"), first = part(id, 2, large);
  EXPECT_EQ(error_of([&] { store.object("bucket", "key"); }), "NoSuchKey") << "not before";
  const Object& object = store.complete_upload("bucket", id, "key", {first, last});
  EXPECT_EQ(text(object.body), large + "end");
  EXPECT_EQ(object.part_sizes, (std::vector<std::uint64_t>{large.size(), 3}));
  // As S3 makes it: the MD5 of the parts' MD5s, and how many there are.
  EXPECT_EQ(object.etag,
            to_hex(digest_of(Algorithm::kMd5, digest_of(Algorithm::kMd5, large) +
                                                  digest_of(Algorithm::kMd5, std::string("end")))) +
                "-2");
  EXPECT_EQ(&store.complete_upload("bucket", id, "key", {first, last}), &object) << "again";
  EXPECT_EQ(error_of([&] { part(id, 3, "late"); }), "NoSuchUpload");
}

TEST_F(StoreTest, OnlyPartsThatAreThereAndLargeEnoughAreJoined) {
  const std::string id = begin();
  const NamedPart one = part(id, 1, "small"), two = part(id, 2, "small, too");
  const auto complete = [&](std::vector<NamedPart> parts) {
    return error_of([&] { store.complete_upload("bucket", id, "key", parts); });
  };
  EXPECT_EQ(complete({}), "MalformedXML");
  EXPECT_EQ(complete({two, one}), "InvalidPartOrder");
  EXPECT_EQ(complete({{1, two.etag}}), "InvalidPart");
  EXPECT_EQ(complete({{3, one.etag}}), "InvalidPart");
  EXPECT_EQ(complete({one, two}), "EntityTooSmall");
  EXPECT_EQ(complete({one}), "") << "what is left out is thrown away";
  EXPECT_EQ(store.bytes(), 5u);
}

TEST_F(StoreTest, AnUploadThatIsNotCompletedLeavesTheOldObjectWhole) {
  put("key", "old");
  const std::string id = begin();
  part(id, 1, "new");
  EXPECT_EQ(text(store.object("bucket", "key").body), "old");
  EXPECT_EQ(store.bytes(), 6u) << "S3 charges for parts";
  store.abort_upload("bucket", id, "key");
  EXPECT_EQ(store.bytes(), 3u);
  EXPECT_EQ(error_of([&] { store.abort_upload("bucket", id, "key"); }), "NoSuchUpload");
}

TEST_F(StoreTest, UploadsExpireAtTheMidnightAfterTheirDays) {
  const std::string before = begin();
  store.set_lifecycle("bucket", {{.id = "r", .prefix = "k", .days = 2, .enabled = true}});
  pass(30h);  // the 6th, 16:00
  const std::string after = begin();
  pass(32h - 1s);
  EXPECT_EQ(store.bucket("bucket").uploads.size(), 2u);
  pass(1s);  // the 8th, 00:00: what began on the 5th at 10:00 is two days old, and a midnight later
  EXPECT_EQ(store.bucket("bucket").uploads.size(), 1u);
  EXPECT_EQ(error_of([&] { store.upload("bucket", before, "key"); }), "NoSuchUpload");
  pass(24h);
  EXPECT_TRUE(store.bucket("bucket").uploads.empty());
}

TEST_F(StoreTest, BytesAreCountedOverTime) {
  put("a", std::string(100, 'x'));
  pass(10s);
  put("a", std::string(50, 'x'));
  pass(10s);
  store.remove("bucket", "a");
  pass(10s);
  EXPECT_DOUBLE_EQ(store.usage().byte_seconds, 1500);
}

TEST_F(StoreTest, CostsAreByItsPrices) {
  const Time begin = simulation.now();
  EXPECT_TRUE(charges(store, "", begin, begin, {}).empty());
  put("a", std::string(1 << 20, 'x'));
  pass(730h / 2);
  for (int i = 0; i < 1500; ++i) store.count_write();
  for (int i = 0; i < 2500; ++i) store.count_read();
  const auto items = charges(store, "", begin, simulation.now(), {});
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].cost.nano, 23'000'000 / 1024 / 2) << "a 1024th of a GiB for half a month";
  EXPECT_EQ(items[1].cost.nano, 7'500'000);
  EXPECT_EQ(items[2].cost.nano, 1'000'000);
}

TEST_F(StoreTest, EachRegionPaysForItsBuckets) {
  store.create_bucket("east", "us-east-1");
  const Time begin = simulation.now();
  put("a", std::string(1 << 20, 'x'));
  store.put("east", "b",
            {.body = Body(std::make_shared<Blob>(Blob::Modelled{std::uint64_t{2} << 20}))});
  store.count_write("east");
  store.count_read("bucket");
  store.count_read("no-such-bucket");
  pass(730h);
  const auto own = charges(store, "", begin, simulation.now(), {});
  const auto east = charges(store, "us-east-1", begin, simulation.now(), {});
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].cost.nano, 22'461) << "a 1024th of 0.023, rounded";
  EXPECT_EQ(own[1].usage, "Requests-Tier2");
  EXPECT_EQ(own[1].quantity, 2);
  ASSERT_EQ(east.size(), 2u);
  EXPECT_EQ(east[0].cost.nano, 44'922);
  EXPECT_EQ(east[1].usage, "Requests-Tier1");
  EXPECT_TRUE(charges(store, "eu-west-1", begin, simulation.now(), {}).empty());
  store.remove("east", "b");
  EXPECT_EQ(store.bytes(), 1u << 20);
}

TEST(Bodies, AModelledOneHasItsSizeAndADigestWithoutItsBytes) {
  constexpr std::uint64_t kSize = std::uint64_t{1} << 50;
  Body body(std::make_shared<Blob>(Blob::Modelled{kSize}));
  EXPECT_EQ(body.size(), kSize);
  EXPECT_TRUE(body.modelled());
  std::string part(3, 'x');
  EXPECT_TRUE(body.read(kSize - 3, part));
  EXPECT_EQ(part, std::string(3, '\0'));
  EXPECT_FALSE(body.read(kSize - 2, part));
  std::string summed;
  each_summed(body,
              [&](std::span<const char> bytes) { summed.append(bytes.data(), bytes.size()); });
  EXPECT_EQ(summed, "1125899906842624 modelled bytes");
}

TEST(Bodies, OfPartsInMemoryAndInFilesAreOne) {
  BodyFile file;
  const std::string large(100'000, 'l');
  Body whole = body("0123");
  whole.append(file.keep(large));
  whole.append(file.keep(std::string_view("456789")));
  EXPECT_EQ(text(whole), "0123" + large + "456789");
  EXPECT_EQ(text(whole.slice(2, 100'004)), "23" + large + "45");
  EXPECT_EQ(text(whole.slice(2, 100'004).slice(1, 2)), "3l");
  std::string part(4, ' ');
  EXPECT_TRUE(whole.read(100'006, part));
  EXPECT_EQ(part, "6789");
  EXPECT_FALSE(whole.read(100'007, part));
}

TEST(Bodies, OutliveTheirFile) {
  Body copy;
  const std::string large(100'000, 'l');
  {
    BodyFile file;
    const Body one(file.keep(large));
    copy = one;
  }
  EXPECT_EQ(text(copy), large);
}

// RFC 1321, RFC 3174, FIPS 180-4; RFC 3720, B.4 for the two polynomials' check value.
TEST(Digests, AreThoseOfTheStandards) {
  const auto hex = [](Algorithm algorithm, std::string_view text) {
    return to_hex(digest_of(algorithm, text));
  };
  EXPECT_EQ(hex(Algorithm::kMd5, "abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(hex(Algorithm::kSha1, "abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex(Algorithm::kSha256, "abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(Algorithm::kCrc32, "123456789"), "cbf43926");
  EXPECT_EQ(hex(Algorithm::kCrc32c, "123456789"), "e3069283");
}

// The pages of a list, whatever their size, are the keys as a plain filter finds them.
TEST_F(StoreTest, ListsArePagesOfWhatAPlainFilterFinds) {
  for (const char* key : {"a", "a/", "a/b", "a/b/c", "a/b/d", "a//e", "b", "b/", "ba", "c/\xff",
                          "c/\xff\xff/x", "c0", "\xc3\xa4"})
    put(key, "x");
  const Bucket& bucket = store.bucket("bucket");
  for (const std::string prefix : {"", "a", "a/", "a/b", "c/\xff", "nothing"})
    for (const std::string delimiter : {"", "/", "b", "//"})
      for (std::size_t most = 1; most <= 4; ++most) {
        std::vector<std::string> expected, found;
        for (const auto& [key, object] : bucket.objects) {
          if (!key.starts_with(prefix)) continue;
          const auto cut = delimiter.empty() ? key.npos : key.find(delimiter, prefix.size());
          const std::string shown = cut == key.npos ? key : key.substr(0, cut + delimiter.size());
          if (expected.empty() || expected.back() != shown) expected.push_back(shown);
        }
        ListQuery query{.prefix = prefix, .delimiter = delimiter, .after = "", .most = most};
        for (bool more = true; more;) {
          const Listing page = list(bucket, query);
          std::vector<std::string> shown = page.common_prefixes;
          for (const auto& entry : page.entries) shown.push_back(entry.key);
          std::ranges::sort(shown);
          found.insert(found.end(), shown.begin(), shown.end());
          query.after = page.last;
          more = page.truncated;
          ASSERT_LE(shown.size(), most);
        }
        EXPECT_EQ(found, expected) << prefix << ", " << delimiter << ", " << most;
      }
}

}  // namespace
}  // namespace sim::objects
