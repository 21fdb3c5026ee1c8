#include "sim/traces/csv.h"

#include <gtest/gtest.h>

#include <fstream>

namespace sim::traces {
namespace {

namespace fs = std::filesystem;

TEST(FileParts, HaveEveryLineOnceAndWhole) {
  const fs::path file = fs::path(testing::TempDir()) / "spotsim-file-parts.txt";
  std::string text = "head\n";
  for (int i = 0; i < 300; ++i) text += std::string(static_cast<std::size_t>(i % 40), 'x') + "\n";
  text += std::string(3 << 20, 'y') + "\nshort\n" + std::string(2 << 20, 'z');  // over a block
  std::ofstream(file, std::ios::binary) << text;
  for (const std::size_t count : {1, 2, 3, 7}) {
    const auto parts = file_parts(file, 5, text.size(), count);
    EXPECT_LE(parts.size(), count);
    std::string all;
    for (const FilePart& part : parts)
      read_file_part(file, part, [&](std::string_view lines) {
        EXPECT_TRUE(lines.empty() || lines.back() == '\n' ||
                    all.size() + lines.size() + 5 == text.size());
        all += lines;
      });
    EXPECT_TRUE(all == text.substr(5)) << count;
  }
  EXPECT_TRUE(file_parts(file, 5, 5, 2).size() == 1);
  fs::remove(file);
}

}  // namespace
}  // namespace sim::traces
