// docs/traces.md against the tables of formats.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "sim/traces/availability_formats.h"
#include "sim/traces/price_formats.h"

namespace sim::traces {
namespace {

TEST(TracesPage, ListsAllFormatsInTheirOrder) {
  std::ifstream page(std::string(SPOTSIM_SOURCE_DIR) + "/docs/traces.md");
  std::vector<std::string> listed, known;
  for (std::string line; std::getline(page, line) && line != "## Statistics";)
    if (line.starts_with("| `")) listed.push_back(line.substr(3, line.find('`', 3) - 3));
  for (const PriceFormat* format : price_formats()) known.emplace_back(format->name);
  for (const AvailabilityFormat* format : availability_formats()) known.emplace_back(format->name);
  EXPECT_EQ(listed, known);
}

}  // namespace
}  // namespace sim::traces
