// Damaged traces: whatever a file contains, a reader returns a valid history or throws TraceError.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/kernel/random.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_samples_for_test.h"

namespace sim::traces {
namespace {

constexpr int kInputs = 3000;

// One to eight small damages: bytes changed, cut, doubled, or replaced by texts that parsers often
// fail on.
std::string damaged_trace(std::string text, Stream& draw) {
  static const std::vector<std::string> kHostile = {"",
                                                    std::string(1, '\0'),
                                                    "\n",
                                                    "\r\n",
                                                    ",",
                                                    "\"",
                                                    "{",
                                                    "[",
                                                    "]}",
                                                    "null",
                                                    "-1",
                                                    "1e99",
                                                    "NaN",
                                                    "0.",
                                                    ".",
                                                    "\xff",
                                                    "\\",
                                                    "\\ud800",
                                                    "99999999999999999999",
                                                    "Z",
                                                    "+99:99",
                                                    "2262-04-12",
                                                    "1677-09-21",
                                                    ",,,,,,",
                                                    "\xef\xbb\xbf"};
  for (auto n = 1 + draw.below(8); n > 0 && !text.empty(); --n) {
    const std::size_t at = draw.below(text.size()), length = draw.below(12);
    switch (draw.below(5)) {
      case 0:
        text[at] = static_cast<char>(draw.below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, std::string(text, draw.below(text.size()), length * 4));
        break;
      case 3:
        text.resize(at);
        break;
      default:
        text.replace(at, length, kHostile[draw.below(kHostile.size())]);
    }
  }
  return text;
}

void expect_promises(const market::PriceHistory& history) {
  ASSERT_FALSE(history.pools.empty());
  for (const auto& [pool, points] : history.pools) {
    ASSERT_FALSE(points.empty());
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_GT(points[i].price, market::Usd{});
      if (i) {
        ASSERT_LT(points[i - 1].at, points[i].at);
      }
    }
  }
}

// The result of reading a file in a number of parts: a history, or the error's message.
struct Reading {
  market::PriceHistory history;
  std::string error;
  bool operator==(const Reading&) const = default;
};

Reading read_in(const TraceFile& file, std::size_t parts) {
  try {
    return {parse_price_history(file, parts), ""};
  } catch (const TraceError& error) {
    return {{}, error.what()};
  }
}

class DamagedTraces : public testing::TestWithParam<std::size_t> {};

TEST_P(DamagedTraces, GiveAHistoryOrATraceError) {
  const TraceFile sample = all_samples()[GetParam()];
  Stream draw(GetParam());
  int read = 0, refused = 0;
  for (int i = 0; i < kInputs; ++i) {
    const TraceFile damaged{sample.path, damaged_trace(sample.text, draw)};
    const Reading reading = read_in(damaged, 1);
    if (reading.error.empty()) {
      expect_promises(reading.history);
      ++read;
    } else {
      // A useful message has the file's name and the expected content.
      const std::string& what = reading.error;
      ASSERT_EQ(what.rfind(sample.path.string() + ":", 0), 0u) << what;
      ASSERT_NE(what.find("expected"), std::string::npos) << what;
      ++refused;
    }
    ASSERT_EQ(read_in(damaged, 2 + draw.below(6)), reading) << damaged.text;
    if (HasFatalFailure()) FAIL() << "input " << i << ":\n" << damaged.text;
  }
  // Some files are read and some are refused, so the damage is neither too small nor too large.
  EXPECT_GT(read, kInputs / 200);
  EXPECT_GT(refused, kInputs / 10);
}

INSTANTIATE_TEST_SUITE_P(EachFormat, DamagedTraces, testing::Range<std::size_t>(0, 10));

}  // namespace
}  // namespace sim::traces
