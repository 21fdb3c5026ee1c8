#include "sim/traces/price_formats.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/kernel/random.h"
#include "sim/traces/availability_formats.h"
#include "sim/traces/trace_fields.h"
#include "sim/traces/trace_samples_for_test.h"

namespace sim::traces {
namespace {

market::PricePoint point_at(const char* at, const char* price) {
  return {parse_time(at).value(), market::parse_usd(price).value()};
}

// The reader's message for `sample` with `from` replaced by `to`.
std::string complaint(TraceFile sample, const std::string& from, const std::string& to) {
  const std::size_t at = sample.text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  sample.text.replace(at, from.size(), to);
  try {
    parse_price_history(sample);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PriceFormats, EachSampleIsRecognisedByOneFormat) {
  for (const TraceFile& sample : all_samples()) {
    int recognised = 0;
    for (const PriceFormat* format : price_formats()) recognised += format->recognises(sample.text);
    EXPECT_EQ(recognised, 1) << sample.path;
  }
}

// Some commands read both kinds of trace, so a file of prices must not look like one of
// availability.
TEST(PriceFormats, NoSampleIsRecognisedAsAvailability) {
  for (const TraceFile& sample : all_samples())
    EXPECT_EQ(availability_format_of(sample.text), nullptr) << sample.path;
  EXPECT_EQ(availability_format_of("[\n{\"SpotPrice\": \"0.9\"}]"), nullptr);
}

TEST(AwsJson, GivesLinuxPricesInOrderOfTime) {
  EXPECT_EQ(parse_price_history(aws_sample()),
            (market::PriceHistory{{{{"p3.2xlarge", "us-west-2b"},
                                    {point_at("2019-11-05T10:00:00Z", "0.918"),
                                     point_at("2019-11-05T14:03:12Z", "0.9215")}}}}));
}

TEST(AwsJson, PrefersTheVpcsPricesOfAPool) {
  TraceFile sample = aws_sample();
  const std::string linux_product = "\"Linux/UNIX\"";
  sample.text.replace(sample.text.find(linux_product), linux_product.size(),
                      "\"Linux/UNIX (Amazon VPC)\"");
  EXPECT_EQ(parse_price_history(sample),
            (market::PriceHistory{
                {{{"p3.2xlarge", "us-west-2b"}, {point_at("2019-11-05T14:03:12Z", "0.9215")}}}}));
}

TEST(AwsJson, ReportsTheEntryAndFieldOfAnError) {
  const TraceFile s = aws_sample();
  EXPECT_EQ(complaint(s, "0.918000", "free"),
            "history.json: SpotPriceHistory[2]: SpotPrice: found \"free\", expected US dollars an "
            "hour above 0, such as 0.9180");
  EXPECT_EQ(
      complaint(s, "\"0.918000\"", "0.918"),
      "history.json: SpotPriceHistory[2]: SpotPrice: found \"number\", expected US dollars an "
      "hour above 0, such as 0.9180");
  EXPECT_EQ(complaint(s, "\"Timestamp\"", "\"When\""),
            "history.json: SpotPriceHistory[0]: Timestamp: found \"nothing\", expected a time such "
            "as 2019-11-05T10:00:00Z");
  EXPECT_EQ(complaint(s, "us-west-2b", "Oregon"),
            "history.json: SpotPriceHistory[0]: AvailabilityZone: found \"Oregon\", expected an "
            "Availability Zone such as us-west-2b");
  EXPECT_EQ(complaint(s, "p2.xlarge", "p2"),
            "history.json: SpotPriceHistory[1]: InstanceType: found \"p2\", expected an instance "
            "type such as p3.2xlarge");
}

TEST(AwsJson, ReportsTheLineThatIsNotJson) {
  const std::string line = complaint(aws_sample(), "\"us-west-2a\",", "\"us-west-2a\"");
  EXPECT_EQ(line.rfind("history.json:12: JSON: found ", 0), 0u) << line;
  EXPECT_NE(complaint(aws_sample(), "\"0.918000\"", "1e999").find("expected JSON"),
            std::string::npos);
}

TEST(AwsJson, RequiresTheArrayAndALinuxPrice) {
  EXPECT_NE(complaint({"a.json", R"({"NextToken": "SpotPriceHistory"})"}, "", "").find("no array"),
            std::string::npos);
  EXPECT_EQ(complaint(aws_sample(), "SpotPriceHistory", "Prices")
                .rfind("history.json:1: format: found \"{\", expected", 0),
            0u);
  EXPECT_NE(complaint({"a.json", R"({"SpotPriceHistory": []})"}, "", "").find("no prices"),
            std::string::npos);
  EXPECT_NE(complaint({"a.json", R"({"SpotPriceHistory": [1]})"}, "", "").find("an object"),
            std::string::npos);
}

// An entry of a zone and a price; `more` is its further fields.
std::string aws_entry(char zone, int price, const std::string& more = "") {
  return fmt::format(R"({{"AvailabilityZone": "us-west-2{}", "InstanceType": "p3.2xlarge", )"
                     R"("ProductDescription": "Linux/UNIX", "SpotPrice": "{}", )"
                     R"("Timestamp": "2019-11-05T14:{:02}:12Z"{}}})",
                     zone, price, price % 60, more);
}

TEST(AwsJson, InPartsGivesTheSame) {
  const std::string list = aws_entry('a', 1) + "," + aws_entry('b', 2) + " , " + aws_entry('a', 3) +
                           ",\n" + aws_entry('a', 61) + "," + aws_entry('b', 4);
  const std::string prices = "\"SpotPriceHistory\": [" + list + "]";
  const std::vector<std::string> documents = {
      "{" + prices + "}", "{\"NextToken\": \"]}, {[\", " + prices + ", \"NextToken\": \"}, {\"}",
      "{\"Other\": [{\"a\": 1}, {\"b\": {}}, {\"c\": []}], " + prices +
          ", \"Another\": [{}, {}, {}]}",
      "{\"SpotPriceHistory\": [" + aws_entry('d', 5, R"(, "Notes": [{"a": 1}, {"b": "}, {"}])") +
          "," + list + "]}",
      "{\"SpotPriceHistory\": [{}, {}, {}, {}], " + prices + "}"};
  const market::PriceHistory expected = parse_price_history({"a.json", documents[0]}, 1);
  EXPECT_EQ(
      expected.pools.at({"p3.2xlarge", "us-west-2a"}),
      (std::vector{point_at("2019-11-05T14:01:12Z", "1"), point_at("2019-11-05T14:03:12Z", "3")}));
  for (const std::string& document : documents)
    for (const std::size_t parts : {1, 2, 3, 7, 50}) {
      market::PriceHistory history = parse_price_history({"a.json", document}, parts);
      history.pools.erase({"p3.2xlarge", "us-west-2d"});
      EXPECT_EQ(history, expected) << document << " in " << parts;
    }
}

TEST(AwsJson, InPartsReportsTheSameErrorOfAnEntry) {
  std::string text = "{\"SpotPriceHistory\": [";
  for (int i = 1; i < 100; ++i) text += aws_entry('a', i) + ",";
  text += aws_entry('A', 100) + "," + aws_entry('a', 101) + "]}";
  for (const std::size_t parts : {1, 2, 10}) {
    try {
      parse_price_history({"a.json", text}, parts);
      FAIL() << "no error";
    } catch (const TraceError& error) {
      EXPECT_EQ(std::string(error.what()),
                "a.json: SpotPriceHistory[99]: AvailabilityZone: found \"us-west-2A\", expected an "
                "Availability Zone such as us-west-2b");
    }
  }
}

TEST(AwsJson, ReportsErrorsInValuesThatAreNotNeeded) {
  for (const char* more : {", \"X\": nul", ", \"X\": [1, {\"y\": 01}]", ", \"X\": [1,]",
                           ", \"X\": tru", ", \"X\": \"\\q\"", ", \"X\": 1 2"}) {
    const std::string document = "{\"SpotPriceHistory\": [" + aws_entry('a', 1, more) + "]}";
    EXPECT_EQ(complaint({"a.json", document}, "", "").rfind("a.json:1: JSON: found ", 0), 0u)
        << complaint({"a.json", document}, "", "");
  }
  const std::string deep = "{\"SpotPriceHistory\": [" +
                           aws_entry('a', 1, ", \"X\": " + std::string(1'000'000, '[')) + "]}";
  EXPECT_NE(complaint({"a.json", deep}, "", ""), "no error");
}

TEST(CsvMarkets, GivesEveryPool) {
  const market::PriceHistory history = parse_price_history(csv_markets_sample());
  ASSERT_EQ(history.pools.size(), 2u);
  EXPECT_EQ(history.pools.at({"c5.4xlarge", "us-east-1a"}),
            (std::vector{point_at("2021-03-02T07:43:33Z", "0.2627"),
                         point_at("2021-03-02T14:10:32Z", "0.2628")}));
}

TEST(CsvMarkets, ReportsTheLineAndFieldOfAnError) {
  const TraceFile s = csv_markets_sample();
  EXPECT_EQ(
      complaint(s, "0.262800", "-1"),
      "markets.csv:3: price_usd_h: found \"-1\", expected US dollars an hour above 0, such as "
      "0.9180");
  EXPECT_EQ(complaint(s, "2021-03-02T07", "2021-13-02T07").rfind("markets.csv:2: timestamp:", 0),
            0u);
  EXPECT_EQ(complaint(s, "c5.4xlarge,", "").rfind("markets.csv:2: line:", 0), 0u);
  EXPECT_EQ(complaint(s, "us-east-1b", "\x01\x02").rfind("markets.csv:4: az: found \"??\"", 0), 0u);
}

TEST(CsvOfOnePool, TakesThePoolFromTheFilesName) {
  EXPECT_EQ(parse_price_history(csv_timestamps_sample()),
            (market::PriceHistory{{{{"c3.xlarge", "us-east-1a"},
                                    {point_at("2015-03-11T16:54:38Z", "0.0324"),
                                     point_at("2015-03-11T16:58:12Z", "0.0321")}}}}));
  EXPECT_EQ(parse_price_history(csv_epoch_ms_sample()),
            (market::PriceHistory{{{{"m1.small", "us-west-1a"},
                                    {point_at("2009-12-16T02:38:29Z", "0.026"),
                                     point_at("2010-01-06T21:36:34Z", "0.03")}}}}));
  TraceFile nameless = csv_epoch_ms_sample();
  nameless.path = "prices.csv";
  EXPECT_NE(complaint(nameless, "", "").find("which says the pool"), std::string::npos);
}

TEST(CsvOfOnePool, ReportsTheLineAndFieldOfAnError) {
  const TraceFile ms = csv_epoch_ms_sample(), iso = csv_timestamps_sample();
  EXPECT_EQ(
      complaint(ms, "1262813794000", "99999999999999").rfind(ms.path.string() + ":3: epoch_ms:", 0),
      0u);
  EXPECT_EQ(complaint(ms, "0.026", "0").rfind(ms.path.string() + ":2: price_usd_h:", 0), 0u);
  EXPECT_EQ(complaint(iso, "16:58", "16-58").rfind(iso.path.string() + ":3: timestamp:", 0), 0u);
}

TEST(CsvMarkets, InPartsGiveTheSamePoolsInAnyOrderOfLines) {
  // Pools that come, go and return; two prices at one instant, of which the later line counts.
  TraceFile file{"markets.csv", "az,instance_type,timestamp,price_usd_h\n"};
  Stream draw(7);
  for (int i = 0; i < 3000; ++i) {
    const auto pool = draw.below(i % 500 < 250 ? 40 : 2);
    file.text += fmt::format("us-east-1{},m{}.large,{},{}\r\n", "abc"[pool % 3], pool,
                             iso_seconds(Time{} + 1min * draw.below(200)), i + 1);
  }
  const market::PriceHistory whole = parse_price_history(file, 1);
  EXPECT_EQ(whole.pools.size(), 40u);
  for (const std::size_t parts : {2, 3, 16, 1000})
    EXPECT_EQ(parse_price_history(file, parts), whole) << parts;
}

TEST(CsvMarkets, InPartsReportTheFirstInvalidLineOfTheFile) {
  TraceFile file{"markets.csv", "az,instance_type,timestamp,price_usd_h\n"};
  for (int i = 2; i <= 1000; ++i)
    file.text += i == 400   ? "us-east-1a,m1.large,2020-01-01,free\n"
                 : i == 990 ? "us-east-1a,m1.large\n"
                            : "us-east-1a,m1.large,2020-01-01,1\n";
  for (const std::size_t parts : {1, 2, 5}) {
    try {
      parse_price_history(file, parts);
      FAIL() << "no error";
    } catch (const TraceError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("markets.csv:400: price_usd_h: found \"free\"", 0),
                0u)
          << error.what();
    }
  }
}

TEST(PriceTicks, BeginIn1970BecauseTheyNameNoStart) {
  EXPECT_EQ(parse_price_history(price_ticks_sample()),
            (market::PriceHistory{
                {{{"v100_1", "us-east-1f"},
                  {point_at("1970-01-01", "1.224"), point_at("1970-01-01T00:03:15Z", "1.224"),
                   point_at("1970-01-01T00:06:30Z", "1.2433")}}}}));
  const market::PriceHistory history = parse_price_history(price_ticks_by_pool_sample());
  ASSERT_EQ(history.pools.size(), 2u);
  EXPECT_EQ(history.pools.at({"v100_1", "us-west-2a"}).back(),
            point_at("1970-01-01T00:06:30Z", "0.9"));
}

TEST(PriceTicks, ReportTheInvalidPrice) {
  const TraceFile one = price_ticks_sample(), many = price_ticks_by_pool_sample();
  EXPECT_EQ(complaint(one, "1.2433", "-1"),
            "us-east-1f_v100_1.json: prices[2]: found \"-1\", expected US dollars an hour above 0, "
            "such as 0.9180");
  EXPECT_NE(complaint(one, "195", "0").find("no such gap_seconds"), std::string::npos);
  EXPECT_EQ(complaint(many, "0.9]", "null]")
                .rfind("v100_spot_prices.json: us-west-2a_v100_1[2]: found \"null\"", 0),
            0u);
  EXPECT_NE(complaint(many, "us-west-2a_v100_1", "note").find("found \"note\", expected the name"),
            std::string::npos);
}

TEST(FileNames, GiveZoneAndType) {
  EXPECT_EQ(pool_of_file_name("us-east-1a-Linux-c3.xlarge.csv.gz"),
            (market::Pool{"c3.xlarge", "us-east-1a"}));
  EXPECT_EQ(pool_of_file_name("eu-west-1.linux.m2.4xlarge.csv"),
            (market::Pool{"m2.4xlarge", "eu-west-1a"}));
  for (const char* name :
       {"", ".csv", "-Linux-.csv", "us-east-1a-Linux-.csv", "-Linux-c3.xlarge.csv",
        "us-east-1a-Linux-c3.xlarge.txt", "us-east-1a-Linux-c3.xlarge.gz"})
    EXPECT_FALSE(pool_of_file_name(name)) << name;
}

TEST(PriceHistory, OfAnUnknownFormatListsTheKnownOnes) {
  const std::string what = complaint({"x.txt", "hello\nworld\n"}, "", "");
  EXPECT_EQ(what.rfind("x.txt:1: format: found \"hello\", expected", 0), 0u) << what;
  for (const PriceFormat* format : price_formats())
    EXPECT_NE(what.find(format->looks_like), std::string::npos) << format->name;
}

TEST(PriceHistory, SortsPointsAndOfTwoAtOneInstantKeepsTheLaterInTheFile) {
  const market::PriceHistory history = parse_price_history(
      {"us-east-1a-Linux-c3.xlarge.csv",
       "timestamp,price_usd_h\n2015-01-02,2\n2015-01-01,1\n2015-01-02,3\n2015-01-02,4\n"});
  EXPECT_EQ(history.pools.begin()->second,
            (std::vector{point_at("2015-01-01", "1"), point_at("2015-01-02", "4")}));
}

}  // namespace
}  // namespace sim::traces
