// Files with two values for one instant, and other forms of AWS's history.
#include <gtest/gtest.h>

#include "sim/traces/price_formats.h"
#include "sim/traces/trace_samples_for_test.h"

namespace sim::traces {
namespace {

const market::Pool kGpuPool{"p3.2xlarge", "us-west-2b"};

TEST(AwsForms, AllHaveThePoolAndLeaveOtherProductsOut) {
  for (const TraceFile& sample :
       {aws_array_sample(), aws_json_lines_sample(), aws_table_sample(), zone_id_tsv_sample()}) {
    const market::PriceHistory history = parse_price_history(sample);
    EXPECT_EQ(history, (market::PriceHistory{{{kGpuPool,
                                               {{parse_time("2019-11-05T14:03:12Z").value(),
                                                 market::parse_usd("0.9215").value()}}}}}))
        << sample.path;
  }
}

std::string complaint_of(TraceFile sample, const std::string& from, const std::string& to) {
  sample.text.replace(sample.text.find(from), from.size(), to);
  try {
    parse_price_history(sample);
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(AwsForms, ReportErrorsWithTheirPlaces) {
  EXPECT_EQ(complaint_of(aws_json_lines_sample(), "\"1\"", "\"-1\""),
            "lines.json:3: SpotPrice: found \"-1\", expected US dollars an hour above 0, such as "
            "0.9180");
  EXPECT_EQ(complaint_of(aws_json_lines_sample(), "SUSE Linux\",", "SUSE Linux\"")
                .rfind("lines.json:3: JSON: found", 0),
            0U);
  EXPECT_EQ(
      complaint_of(aws_table_sample(), "Windows,1.4", "Windows,free").rfind("table.csv:3: Spot", 0),
      0U);
  EXPECT_EQ(
      complaint_of(zone_id_tsv_sample(), "0.921500\t", "0.921500 ").rfind("11.tsv:2: line", 0), 0U);
  EXPECT_EQ(complaint_of(zone_id_tsv_sample(), "Linux/UNIX", "SUSE Linux"),
            "11.tsv: found \"only prices of Red Hat Enterprise Linux\", expected prices of "
            "Linux/UNIX");
  EXPECT_EQ(
      complaint_of(aws_array_sample(), "0.921500", "0").rfind("array.json: [0]: SpotPrice", 0), 0U);
}

// The only warning that a file gives.
std::string warning(const TraceFile& file) {
  const PriceReading reading = parse_as(*price_format_of(file.text), file, 1);
  EXPECT_EQ(reading.warnings.size(), 1U);
  return reading.warnings.empty() ? "" : reading.warnings.front();
}

TEST(Warnings, NameTheLinesOfTwoPricesAtOneInstant) {
  const std::string rest =
      " found 2.0000, and 1.0000 on line 2, expected one price at an instant: 2.0000 is used. "
      "Perhaps the file has "
      "the prices of two products";
  EXPECT_EQ(warning({"p.csv",
                     "az,instance_type,timestamp,price_usd_h\n"
                     "us-west-2b,p3.2xlarge,2020-01-01,1\nus-west-2a,p3.2xlarge,2020-01-01,3\n"
                     "us-west-2b,p3.2xlarge,2020-01-01,2\n"}),
            "p.csv:4: p3.2xlarge/us-west-2b at 2020-01-01T00:00:00Z: warning:" + rest);
  EXPECT_EQ(warning({"us-east-1a-Linux-c3.xlarge.csv",
                     "timestamp,price_usd_h\n2020-01-01,1\n2020-01-02,1\n2020-01-01,2\n"}),
            "us-east-1a-Linux-c3.xlarge.csv:4: c3.xlarge/us-east-1a at 2020-01-01T00:00:00Z: "
            "warning:" +
                rest);
}

TEST(Warnings, StateWhichPriceOfAwssDocumentCounts) {
  TraceFile file = aws_sample();
  const std::string later = "2019-11-05T14:03:12+00:00", earlier = "2019-11-05T10:00:00.000Z";
  file.text.replace(file.text.find(later), later.size(), earlier);
  EXPECT_EQ(
      warning(file),
      "history.json:17: p3.2xlarge/us-west-2b at 2019-11-05T10:00:00Z: warning: found 0.9180, "
      "and 0.9215 on line 3, expected one price at an instant: 0.9215 is used. Perhaps the "
      "file has the prices of two products");
}

TEST(Warnings, StateWhichProductCounts) {
  TraceFile file = aws_sample();
  const std::string linux_product = "\"Linux/UNIX\"";
  file.text.replace(file.text.find(linux_product), linux_product.size(),
                    "\"Linux/UNIX (Amazon VPC)\"");
  EXPECT_EQ(warning(file),
            "history.json: p3.2xlarge/us-west-2b: warning: found prices of two products, "
            "Linux/UNIX and Linux/UNIX (Amazon VPC), expected one: those of Linux/UNIX (Amazon "
            "VPC) count");
}

TEST(Warnings, AreNotAboutTheSamePriceTwice) {
  const TraceFile file{"us-east-1a-Linux-c3.xlarge.csv",
                       "timestamp,price_usd_h\n2020-01-01,1\n2020-01-01,1.0\n"};
  EXPECT_TRUE(parse_as(*price_format_of(file.text), file, 1).warnings.empty());
}

}  // namespace
}  // namespace sim::traces
