#include "sim/market/trace_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>

#include "sim/market/price_history.h"
#include "sim/market/trace_samples.h"

namespace sim::market {
namespace {

namespace fs = std::filesystem;

class TraceFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(testing::TempDir()) /
        ("spotsim-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path plain(const TraceFile& sample) const {
    const fs::path file = folder_ / sample.path;
    std::ofstream(file, std::ios::binary) << sample.text;
    return file;
  }
  fs::path gzip(const TraceFile& sample) const {
    const fs::path file = folder_ / (sample.path.string() + ".gz");
    gzFile out = gzopen(file.c_str(), "wb");
    gzwrite(out, sample.text.data(), static_cast<unsigned>(sample.text.size()));
    gzclose(out);
    return file;
  }
  std::string complaint(const fs::path& file) const {
    try {
      read_price_history(file);
    } catch (const TraceError& error) {
      return error.what();
    }
    return "no error";
  }
  fs::path folder_;
};

TEST_F(TraceFiles, AreReadPlainAndGzippedAlike) {
  for (const TraceFile& sample : all_samples())
    EXPECT_EQ(read_price_history(plain(sample)), read_price_history(gzip(sample))) << sample.path;
}

TEST_F(TraceFiles, CutShortOrDamagedAreRefused) {
  const fs::path file = gzip(csv_markets_sample());
  const auto size = fs::file_size(file);
  fs::resize_file(file, size - 10);
  EXPECT_NE(complaint(file).find("damaged gzip file"), std::string::npos) << complaint(file);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(20) << "\xff\xff\xff";
  EXPECT_NE(complaint(file).find("damaged gzip file"), std::string::npos) << complaint(file);
}

TEST_F(TraceFiles, MissingOrAFolderAreRefused) {
  EXPECT_NE(complaint(folder_ / "none.json").find("none.json: cannot be opened: No such file"),
            std::string::npos);
  EXPECT_NE(complaint(folder_), "no error");
  EXPECT_NE(complaint(plain({"empty.json", ""})), "no error");
}

TEST_F(TraceFiles, WrittenAsAwsJsonReadBackTheSame) {
  std::vector<TraceFile> samples = all_samples();
  samples.resize(kAwsSamples);
  for (const TraceFile& sample : samples) {
    const PriceHistory history = read_price_history(plain(sample));
    const fs::path out = folder_ / "out.json";
    write_price_history(history, out);
    EXPECT_EQ(read_price_history(out), history) << sample.path;
  }
  const PriceHistory fine{{{{"p3.2xlarge", "us-west-2b"}, {{Time{} + 1ns, Usd{1}}}}}};
  write_price_history(fine, folder_ / "fine.json");
  EXPECT_EQ(read_price_history(folder_ / "fine.json"), fine);
}

TEST_F(TraceFiles, AreWrittenNewestFirstWithAwssSixDecimals) {
  const auto line = [](const char* price, const char* at) {
    return R"({"AvailabilityZone": "us-west-2b", "InstanceType": "p3.2xlarge", )"
           R"("ProductDescription": "Linux/UNIX", "SpotPrice": ")" +
           std::string(price) + R"(", "Timestamp": ")" + at + "\"}";
  };
  EXPECT_EQ(to_aws_json(read_price_history(plain(aws_sample()))),
            "{\"SpotPriceHistory\": [\n" + line("0.921500", "2019-11-05T14:03:12+00:00") + ",\n" +
                line("0.918000", "2019-11-05T10:00:00+00:00") + "\n]}\n");
}

TEST_F(TraceFiles, ThatCannotBeWrittenLeaveNothingBehind) {
  const PriceHistory history = read_price_history(plain(aws_sample()));
  EXPECT_THROW(write_price_history(history, folder_ / "no" / "out.json"), TraceError);
  fs::create_directories(folder_ / "taken" / "full");
  EXPECT_THROW(write_price_history(history, folder_ / "taken"), TraceError);
  EXPECT_FALSE(fs::exists(folder_ / "taken.part"));
}

TEST_F(TraceFiles, MergeAndCut) {
  const Pool pool{"p3.2xlarge", "us-west-2b"};
  const auto at = [](int hours) { return Time{} + std::chrono::hours{hours}; };
  PriceHistory history{{{pool, {{at(1), Usd{1}}, {at(3), Usd{3}}}}}};
  merge(history, {{{pool, {{at(2), Usd{2}}, {at(3), Usd{4}}}}}});
  EXPECT_EQ(history, (PriceHistory{{{pool, {{at(1), Usd{1}}, {at(2), Usd{2}}, {at(3), Usd{4}}}}}}));
  EXPECT_EQ(between(history, at(2) - 1ns, at(2)),
            (PriceHistory{{{pool, {{at(1), Usd{1}}, {at(2), Usd{2}}}}}}));
  EXPECT_TRUE(between(history, at(0), at(1) - 1ns).pools.empty());
}

}  // namespace
}  // namespace sim::market
