// The trainer's checkpoints in a bucket of spotsim's S3, without a socket.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include "base/files/folder_for_test.h"
#include "base/files/whole_file.h"
#include "base/text/lower_case.h"
#include "client/fakes_for_test.h"
#include "fakes/backend_for_test.h"
#include "trainer/checkpoint/bucket_storage.h"
#include "trainer/checkpoint/example_for_test.h"
#include "trainer/checkpoint/folder.h"
#include "trainer/checkpoint/store.h"

namespace {

using client::HttpRequest;
using client::HttpResponse;
using spottrain::Checkpoint;
using spottrain::CheckpointFolder;
using spottrain::example_checkpoint;
using Steps = std::vector<std::int64_t>;

// Ends a client at once, as SIGKILL does.
struct Killed {};

// Requests go to the fake as they are, and `around` may do something instead, before or after.
struct HttpToFake : client::Http {
  using Send = std::function<HttpResponse(const HttpRequest&)>;
  explicit HttpToFake(fakes::TestBackend& fake) : fake_(fake) {}

  HttpResponse send(const HttpRequest& request) override {
    ++count;
    return around(request, [this](const HttpRequest& r) { return answered(r); });
  }

  std::function<HttpResponse(const HttpRequest&, const Send&)> around =
      [](const HttpRequest& request, const Send& answer) { return answer(request); };
  int count = 0;

 private:
  HttpResponse answered(const HttpRequest& request) {
    const std::size_t target = request.url.find('/', request.url.find("://") + 3);
    fakes::Request asked{boost::beast::http::string_to_verb(request.method),
                         request.url.substr(target), 11};
    for (const auto& [name, value] : request.headers) asked.set(name, value);
    asked.set("Authorization",
              "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20191105/us-west-2/s3/aws4_request, "
              "SignedHeaders=host, Signature=00");
    asked.body() = request.body;
    fakes::Reply reply = fake_.api(asked);
    HttpResponse response{static_cast<int>(reply.response.result_int()), reply.response.body()};
    if (reply.body) {
      response.body.resize(reply.body->size);
      EXPECT_TRUE(reply.body->read(0, response.body));
    }
    for (const auto& field : reply.response)
      response.headers.emplace_back(base::lower_case(std::string(field.name_string())),
                                    std::string(field.value()));
    return response;
  }

  fakes::TestBackend& fake_;
};

struct InABucket : testing::Test {
  InABucket() { fake.backend.objects.create_bucket("data"); }

  // A trainer that starts.
  CheckpointFolder trainer(spottrain::Retention retention = {.newest = 2, .best = 0}) {
    return {std::make_unique<spottrain::BucketStorage>(bucket, client::S3Uri{"data", "job/one"}),
            retention};
  }
  struct Newest {
    std::int64_t step = 0;  // 0: none
    std::vector<std::string> rejected;
  };
  Newest newest() {
    Newest result;
    const auto found = trainer().newest([&](const std::string& name, const std::string& why) {
      result.rejected.push_back(name + ": " + why);
    });
    if (found) result.step = found->checkpoint.step;
    return result;
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    for (const auto& [key, object] : fake.backend.objects.bucket("data").objects)
      keys.push_back(key);
    return keys;
  }
  bool has_uploads() const { return !fake.backend.objects.bucket("data").uploads.empty(); }
  // The bytes of an object are changed by what `change` does.
  void damage(const std::string& key, const std::function<void(std::string&)>& change) {
    std::string bytes = bucket.get(key, UINT64_MAX)->bytes;
    change(bytes);
    bucket.put(key, bytes);
  }

  fakes::TestBackend fake;
  HttpToFake http{fake};
  client::testing::FakeClock clock;
  client::Environment environment = client::testing::environment_of(client::testing::kCredentials);
  client::MetadataClient imds{http, clock, "http://imds"};
  client::Credentials credentials{http, imds, clock, environment};
  spottrain::Bucket bucket{spottrain::address_of("data", "us-west-2", environment), http, clock,
                           credentials, client::testing::numbered_bits()};
};

// In two parts.
Checkpoint large_checkpoint(std::int64_t step) {
  Checkpoint checkpoint = example_checkpoint(step);
  checkpoint.tensors = {{"w", {3'000'000}}};
  checkpoint.values.assign(3'000'000, static_cast<float>(step));
  for (std::size_t i = 0; i < checkpoint.values.size(); ++i)
    checkpoint.values[i] += static_cast<float>(i);
  return checkpoint;
}

TEST_F(InABucket, GivesBackWhatWasSavedUnderThePrefix) {
  trainer().save(example_checkpoint(7));
  EXPECT_EQ(keys(), (std::vector<std::string>{"job/one/step-0000000007.json",
                                              "job/one/step-0000000007.safetensors"}));
  CheckpointFolder again = trainer();
  const auto found = again.newest([](auto&&, auto&&) { FAIL(); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->checkpoint, example_checkpoint(7));
  EXPECT_EQ(again.storage().path_of("x"), "s3://data/job/one/x");
}

TEST_F(InABucket, EmptyHasNone) { EXPECT_EQ(newest().step, 0); }

TEST_F(InABucket, HasTheSameBytesAsAFolder) {
  base::FolderForTest folder;
  spottrain::store_checkpoint(folder.path(), large_checkpoint(7));
  const std::uint64_t bytes = trainer().save(large_checkpoint(7));
  for (const std::string& name : {spottrain::checkpoint_name(7), spottrain::manifest_name(7)})
    EXPECT_EQ(bucket.get("job/one/" + name, UINT64_MAX)->bytes,
              base::read_regular_file(folder / name))
        << name;
  EXPECT_EQ(bytes, std::filesystem::file_size(folder / spottrain::checkpoint_name(7)));
}

// The old instance has saved a step and reported it. Its replacement reaches the same step and dies
// while it saves that.
TEST_F(InABucket, ASavedStepSurvivesAKillWhileItIsSavedAgain) {
  trainer().save(large_checkpoint(7));
  Checkpoint another = large_checkpoint(7);  // of a processor that computes other bits
  another.values[0] += 1;
  for (const Checkpoint& again : {large_checkpoint(7), another}) {
    CheckpointFolder second = trainer();
    bool saved = false;
    for (int last = 1; !saved && last < 20; ++last) {
      http.count = 0;
      http.around = [&](const HttpRequest& request, const HttpToFake::Send& answer) {
        if (http.count > last) throw Killed();
        return answer(request);
      };
      try {
        second.save(again);
        saved = true;
      } catch (const Killed&) {
      }
      http.around = [](const HttpRequest& request, const HttpToFake::Send& answer) {
        return answer(request);
      };
      EXPECT_EQ(newest().step, 7) << last;
    }
    EXPECT_TRUE(saved);
    const auto found = trainer().newest([](auto&&, auto&&) { FAIL(); });
    EXPECT_EQ(found->checkpoint, large_checkpoint(7));
  }
}

TEST_F(InABucket, LargeOnesGoInPartsOfEightMebibytes) {
  trainer().save(large_checkpoint(7));
  const auto& object =
      fake.backend.objects.object("data", "job/one/" + spottrain::checkpoint_name(7));
  ASSERT_EQ(object.part_sizes.size(), 2u);
  EXPECT_EQ(object.part_sizes[0], spottrain::Bucket::kPartBytes);
  EXPECT_FALSE(has_uploads());
  EXPECT_EQ(newest().step, 7);
}

TEST_F(InABucket, RotationKeepsTheNewestAndTheBest) {
  CheckpointFolder folder = trainer({.newest = 2, .best = 1});
  for (const std::int64_t step : {1, 2, 3, 4, 5}) {
    Checkpoint checkpoint = example_checkpoint(step);
    checkpoint.metric = step == 2 ? 0.9 : 0.1;
    folder.save(checkpoint);
    folder.rotate();
  }
  EXPECT_EQ(spottrain::list_checkpoints(folder.storage()).checkpoints, (Steps{5, 4, 2}));
  EXPECT_EQ(keys().size(), 6u);
}

TEST_F(InABucket, WhatIsDamagedIsPassedOverAndNotInSilence) {
  for (const std::int64_t step : {1, 2, 3, 4}) trainer().save(example_checkpoint(step));
  damage("job/one/" + spottrain::checkpoint_name(4), [](std::string& b) { b[b.size() / 2] ^= 1; });
  damage("job/one/" + spottrain::manifest_name(3), [](std::string& b) { b[5] ^= 1; });
  bucket.remove("job/one/" + spottrain::checkpoint_name(2));
  EXPECT_EQ(newest().step, 1);
  EXPECT_EQ(newest().rejected, (std::vector<std::string>{
                                   "step-0000000004.safetensors: its checksum is wrong",
                                   "step-0000000003.safetensors: its manifest's checksum is wrong",
                                   "step-0000000002.safetensors: there is no object "
                                   "s3://data/job/one/step-0000000002.safetensors"}));
}

TEST_F(InABucket, OutOfReachIsAnErrorAndNotAnEmptyBucket) {
  trainer().save(example_checkpoint(1));
  http.around = [](const HttpRequest&, auto&&) -> HttpResponse {
    throw client::TransportError("no route");
  };
  EXPECT_THROW(newest(), spottrain::BucketError);
  // Also if only objects fail: the list exists.
  http.around = [](const HttpRequest& request, const HttpToFake::Send& answer) -> HttpResponse {
    if (request.url.find("list-type") == std::string::npos) throw client::TransportError("reset");
    return answer(request);
  };
  EXPECT_THROW(newest(), spottrain::BucketError);
}

TEST_F(InABucket, AnUploadThatFailsIsAbortedAndTheOlderOneStays) {
  trainer().save(example_checkpoint(1));
  http.around = [](const HttpRequest& request, const HttpToFake::Send& answer) -> HttpResponse {
    if (request.url.find("partNumber=2") == std::string::npos) return answer(request);
    return {403, "<Error><Code>AccessDenied</Code></Error>"};
  };
  EXPECT_THROW(trainer().save(large_checkpoint(2)), spottrain::BucketError);
  EXPECT_FALSE(has_uploads());
  EXPECT_EQ(keys().size(), 2u);
  EXPECT_EQ(newest().step, 1);
}

// The client is killed before or after each request of a save and of the following rotation.
void kill_at_every_request(InABucket& t, const std::function<Checkpoint(std::int64_t)>& make) {
  t.trainer().save(make(1));
  t.trainer().save(make(2));
  bool killed = true;
  std::int64_t step = 2;
  for (int nth = 1; killed; ++nth) {
    for (const bool before : {true, false}) {
      ++step;
      const int first = t.http.count;
      t.http.around = [&](const HttpRequest& request,
                          const HttpToFake::Send& answer) -> HttpResponse {
        const bool dies = t.http.count - first == nth;
        if (dies && before) throw Killed();
        HttpResponse response = answer(request);
        if (dies) throw Killed();
        return response;
      };
      bool durable = false;
      killed = false;
      try {
        CheckpointFolder folder = t.trainer();
        folder.save(make(step));
        durable = true;
        folder.rotate();
      } catch (const Killed&) {
        killed = true;
      }
      t.http.around = [](const HttpRequest& request, const HttpToFake::Send& answer) {
        return answer(request);
      };
      const auto found = t.newest();
      EXPECT_TRUE(found.rejected.empty()) << nth << ' ' << found.rejected.front();
      // The older checkpoint, or the new one if its manifest was written.
      EXPECT_GE(found.step, durable ? step : step - 1) << nth;
      if (found.step != step) t.trainer().save(make(step));
    }
  }
}

TEST_F(InABucket, AKillAtAnyRequestOfASaveLeavesAValidOne) {
  kill_at_every_request(*this, [](std::int64_t step) { return example_checkpoint(step); });
}

TEST_F(InABucket, AKillAtAnyRequestOfASaveInPartsLeavesAValidOne) {
  kill_at_every_request(*this, large_checkpoint);
}

}  // namespace
