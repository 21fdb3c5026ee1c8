#include "sim/cli/terminal/text_columns.h"

#include <gtest/gtest.h>

namespace sim::cli {
namespace {

using Lines = std::vector<std::string>;

TEST(TextColumns, AreAsWideAsTheirWidestCellAndNeverRunTogether) {
  const std::vector<Column> columns{{8}, {6, Column::Side::kRight}, {4}};
  EXPECT_EQ(aligned({{"pool", "kept", "why"}, {"a", "1", "x"}}, columns),
            (Lines{"pool        kept  why", "a              1  x"}));
  EXPECT_EQ(aligned({{"p4de.24xlarge/us-west-2a", "1234567", "x"}, {"a", "1", ""}}, columns),
            (Lines{"p4de.24xlarge/us-west-2a  1234567  x", "a                               1"}));
}

}  // namespace
}  // namespace sim::cli
