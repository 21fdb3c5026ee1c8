#include "sim/traces/zstd_text.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/folder_for_test.h"
#include "base/text/base64.h"
#include "sim/kernel/random.h"
#include "sim/traces/price_formats.h"

namespace sim::traces {
namespace {

// Two frames, as `cat` joins two months: a header with a line, and another line.
std::string compressed() {
  return base::base64_decode(
             "KLUv/"
             "QRouQEAdGltZXN0YW1wLHByaWNlX3VzZF9oCjIwMTUtMDMtMTEgMTY6NTQ6MzgrMDA6MDAsMC4wMzI0Cs/"
             "vMd8=")
             .value() +
         base::base64_decode("KLUv/QRo9QAAEoIGCqBvYDYZh+2PLwpwO5fHXlvsq7j5+OlMeFsAe329WA==")
             .value();
}
constexpr const char* kText =
    "timestamp,price_usd_h\n2015-03-11 16:54:38+00:00,0.0324\n2015-03-11 16:58:12+00:00,0.0321\n";

class Zstd : public testing::Test {
 protected:
  void SetUp() override {
    try {
      zstd_text(compressed(), 1000);
    } catch (const std::runtime_error& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

TEST_F(Zstd, TextIsTheTextOfAllFrames) { EXPECT_EQ(zstd_text(compressed(), 1000), kText); }

TEST_F(Zstd, FilesAreReadAsTraces) {
  const base::FolderForTest folder;
  const auto file = folder / "us-east-1a-Linux-c3.xlarge.csv.zst";
  std::ofstream(file, std::ios::binary) << compressed();
  const market::PriceHistory history = read_price_history(file);
  EXPECT_EQ(history.pools.at({"c3.xlarge", "us-east-1a"}).size(), 2U);
}

TEST_F(Zstd, TextThatIsTooLongIsRefused) {
  EXPECT_THROW(zstd_text(compressed(), 10), std::runtime_error);
}

TEST_F(Zstd, DamagedBytesGiveATextOrAnError) {
  Stream draw(1);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = compressed();
    for (auto n = 1 + draw.below(4); n > 0; --n)
      bytes[draw.below(bytes.size())] = static_cast<char>(draw.below(256));
    if (draw.below(3) == 0) bytes.resize(draw.below(bytes.size()));
    try {
      EXPECT_LT(zstd_text(bytes, 1 << 20).size(), 1U << 21);
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace sim::traces
