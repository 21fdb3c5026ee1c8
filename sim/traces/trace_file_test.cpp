#include "sim/traces/trace_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>

#include "base/files/folder_for_test.h"
#include "sim/market/price_history.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_samples_for_test.h"

namespace sim::traces {
namespace {

namespace fs = std::filesystem;

class TraceFiles : public testing::Test {
 protected:
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
  base::FolderForTest folder_;
};

TEST_F(TraceFiles, AreReadPlainAndGzippedAlike) {
  for (const TraceFile& sample : all_samples())
    EXPECT_EQ(read_price_history(plain(sample)), read_price_history(gzip(sample))) << sample.path;
}

// Spreadsheets write this mark when they save CSV.
TEST_F(TraceFiles, MayBeginWithAByteOrderMark) {
  for (const TraceFile& sample : all_samples()) {
    const market::PriceHistory without = read_price_history(plain(sample));
    const fs::path marked = plain({sample.path, "\xEF\xBB\xBF" + sample.text});
    EXPECT_EQ(read_price_history(marked), without) << sample.path;
  }
}

// The parsed content of a file of which only the beginning was read, or the error.
std::string as_json(const TraceFile& file, std::size_t parts) {
  try {
    return to_aws_json(parse_price_history(file, parts));
  } catch (const TraceError& error) {
    return error.what();
  }
}

TEST_F(TraceFiles, CsvAndAwsJsonCanBeReadFromTheirBeginnings) {
  TraceFile many = csv_markets_sample();
  for (int i = 0; i < 50; ++i)
    many.text += "us-east-1a,m" + std::to_string(i * 7 % 13) + ".large,2021-03-0" +
                 std::to_string(i % 9 + 1) + ",0." + std::to_string(i + 1) + "\n";
  TraceFile unended = many, wrong = many;
  unended.text.pop_back();
  wrong.text.replace(wrong.text.find(",0.30"), 5, ",free");
  for (const TraceFile& sample :
       {many, unended, wrong, csv_timestamps_sample(), csv_epoch_ms_sample(), aws_sample()}) {
    const fs::path file = plain(sample);
    const std::string expected = as_json(load_trace_file(file), 1);
    for (const std::size_t beginning : {40, 50})
      for (const std::size_t parts : {1, 2, 5}) {
        const TraceFile part = open_trace_file(file, beginning);
        ASSERT_EQ(part.text.size(), beginning);
        ASSERT_TRUE(is_enough(part));
        EXPECT_EQ(as_json(part, parts), expected) << beginning << " bytes, parts: " << parts;
      }
  }
}

TEST_F(TraceFiles, OtherFormatsAreReadAsAWhole) {
  EXPECT_FALSE(is_enough(open_trace_file(plain(price_ticks_sample()), 50)));
  EXPECT_EQ(open_trace_file(gzip(csv_markets_sample()), 50).text, csv_markets_sample().text);
  EXPECT_EQ(open_trace_file(plain(csv_markets_sample())).text, csv_markets_sample().text);
}

TEST_F(TraceFiles, ThatShrinkWhileTheyAreReadAreRefused) {
  const fs::path file = plain(csv_markets_sample());
  const TraceFile beginning = open_trace_file(file, 50);
  fs::resize_file(file, 45);
  EXPECT_NE(as_json(beginning, 2).find("markets.csv"), std::string::npos);
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
    const market::PriceHistory history = read_price_history(plain(sample));
    const fs::path out = folder_ / "out.json";
    write_price_history(history, out);
    EXPECT_EQ(read_price_history(out), history) << sample.path;
  }
  const market::PriceHistory fine{
      {{{"p3.2xlarge", "us-west-2b"}, {{Time{} + 1ns, market::Usd{1}}}}}};
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
  const market::PriceHistory history = read_price_history(plain(aws_sample()));
  try {
    write_price_history(history, folder_ / "no" / "out.json");
    ADD_FAILURE() << "written";
  } catch (const TraceError& error) {
    EXPECT_EQ(error.what(), (folder_ / "no" / "out.json").string() +
                                ": cannot be written: No such file or directory");
  }
  fs::create_directories(folder_ / "taken" / "full");
  EXPECT_THROW(write_price_history(history, folder_ / "taken"), TraceError);
  EXPECT_FALSE(fs::exists(folder_ / "taken.part"));
}

TEST_F(TraceFiles, MergeAndCut) {
  const market::Pool pool{"p3.2xlarge", "us-west-2b"};
  const auto at = [](int hours) { return Time{} + std::chrono::hours{hours}; };
  market::PriceHistory history{{{pool, {{at(1), market::Usd{1}}, {at(3), market::Usd{3}}}}}};
  market::merge(history, {{{pool, {{at(2), market::Usd{2}}, {at(3), market::Usd{4}}}}}});
  EXPECT_EQ(
      history,
      (market::PriceHistory{
          {{pool, {{at(1), market::Usd{1}}, {at(2), market::Usd{2}}, {at(3), market::Usd{4}}}}}}));
  EXPECT_EQ(market::between(history, at(2) - 1ns, at(2)),
            (market::PriceHistory{{{pool, {{at(1), market::Usd{1}}, {at(2), market::Usd{2}}}}}}));
  EXPECT_TRUE(market::between(history, at(0), at(1) - 1ns).pools.empty());
}

}  // namespace
}  // namespace sim::traces
