// A finished sweep as text for people: a table for each setting and market, the best variant first.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/sweep/statistics.h"

namespace sim::cli {

inline constexpr std::size_t kMostMarketsShown = 12;  // with more markets, only all together

// The summaries in blocks, each with all variants of one setting and group. Single groups are
// omitted if there are more than kMostMarketsShown.
std::vector<std::span<const sweep::Summary>> shown_blocks(
    const sweep::Grid& grid, const std::vector<sweep::Summary>& summaries);

// The summaries of a block by rank; the bound is last.
std::vector<const sweep::Summary*> best_first(std::span<const sweep::Summary> block);

// The name of the summary's market: "market us-east-1" or "all 8 markets". The grid must have
// groups.
std::string market_name(const sweep::Grid& grid, const sweep::Summary& s);

// The tables, in lines of at most kWidestLine (text_columns.h) columns. Columns that do not fit are
// in summary.csv only.
std::string sweep_table(const sweep::Grid& grid, const std::vector<sweep::Summary>& summaries,
                        const Styler& styled = {});

}  // namespace sim::cli
