// Every file of the shared traces, where a machine has them: each is read as what it is, or refused
// with a message that says why.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "sim/traces/trace.h"
#include "sim/traces/trace_file.h"

namespace sim::market {
namespace {

namespace fs = std::filesystem;

struct Expected {
  std::string_view begins;  // the path, from the folder of the traces on
  std::string_view format;  // empty: it is refused
  std::string_view message{};
};

// Of those that match, the longest counts.
constexpr std::array kExpected{
    Expected{"SOURCES.md", "", "format: found \"# Real traces"},
    Expected{"aws-spot-price-2009-2011/", "csv-epoch-ms"},
    Expected{"aws-spot-price-2015-us-east-1/", "csv-timestamps"},
    Expected{"aws-spot-price-2021-us-east-1/", "csv-markets"},
    Expected{"bamboo/", "node-counts"},
    Expected{"bamboo/a100x1-east1b.txt", "dated-counts"},
    Expected{"bamboo/g4dn-trace.csv", "node-events"},
    Expected{"bamboo/p3-trace.csv", "node-events"},
    Expected{"bamboo/v100x1-east1c.txt", "dated-counts"},
    Expected{"cant-be-late-2week-windows/windows_8x300x554.txt.gz", "windows"},
    Expected{"cant-be-late-2week-windows/start_indices.json", "",
             "format: found \"{\"zones_in_order\""},
    Expected{"ckptsim-disheng222/", "", "format: found \"totalLoad"},
    Expected{"clusterman-billing/", "", "format: found \"Feature:"},
    Expected{"parcae/", "node-events-json"},
    Expected{"parcae/aws/traces/p3.csv", "node-counts"},
    Expected{"skynomad/aws_egress_pricing.csv", "", "format: found \"from_region,to_region"},
    Expected{"skynomad/converted_multi_region_aligned_h100_16_merged.tar.gz", "",
             "found \"a tar archive\", expected one of the files in it"},
    Expected{"skynomad/converted_v100_4node_600s/", "preempted-json"},
    Expected{"skynomad/h100_16_probe_counts.csv.gz", "probe-counts"},
    Expected{"skynomad/spot_price_cache/", "", "format: found \"{\""},
    Expected{"skynomad/v100_1node_prices/", "price-ticks-json"},
    Expected{"skynomad/v100_9zone_csv/", "dated-availability"},
    Expected{"skynomad/v100_multinode_raw/", "capacity-json"},
    Expected{"skynomad/v100_spot_price_archive_summary.csv", "", "format: found \"az_id,"},
    Expected{"skynomad/v100_spot_prices.json.gz", "price-ticks-by-pool-json"},
    Expected{"skypilot-2022-logs/", "tick-log"},
    Expected{"skypilot-spot-traces/", "capacity-json"},
};

const Expected* expected_of(std::string_view path) {
  const Expected* best = nullptr;
  for (const Expected& one : kExpected)
    if (path.starts_with(one.begins) && (!best || one.begins.size() > best->begins.size()))
      best = &one;
  return best;
}

TEST(RealFiles, AreEachReadOrRefusedWithATrueMessage) {
  const char* named = std::getenv("SPOTSIM_SHARED");
  const fs::path traces =
      (named ? fs::path(named) : fs::path(SPOTSIM_SOURCE_DIR) / "../shared") / "traces";
  if (!fs::is_directory(traces))
    GTEST_SKIP() << "no real traces: set SPOTSIM_SHARED to the folder that has traces/";
  for (const auto& entry : fs::recursive_directory_iterator(traces)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().lexically_relative(traces).generic_string();
    const Expected* const expected = expected_of(path);
    ASSERT_TRUE(expected) << path << ": is not in the list above";
    try {
      const Trace trace = read_trace(entry.path());
      EXPECT_EQ(trace.format, expected->format) << path;
      std::visit([&](const auto& content) { EXPECT_FALSE(content.pools.empty()) << path; },
                 trace.content);
    } catch (const TraceError& error) {
      const std::string what = error.what();
      EXPECT_EQ(expected->format, "") << what;
      EXPECT_NE(what.find(path), std::string::npos) << what;
      EXPECT_NE(what.find(expected->message), std::string::npos) << what;
    }
  }
}

}  // namespace
}  // namespace sim::market
