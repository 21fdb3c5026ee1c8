#include "sim/report/sweep_report.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sim::report {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr int kSweepSchema = 1;
constexpr const char* kResults = "results.db";

Json cell(const SQLite::Column& column) {
  if (column.isInteger()) return column.getInt64();
  if (column.isFloat()) return std::round(column.getDouble() * 1e6) / 1e6;  // as in summary.csv
  if (column.isText()) return column.getString();
  return nullptr;
}

Names columns_of(SQLite::Database& db, const std::string& table) {
  const SQLite::Statement query(db, "SELECT * FROM " + table + " LIMIT 0");
  Names names;
  for (int i = 0; i < query.getColumnCount(); ++i) names.emplace_back(query.getColumnName(i));
  return names;
}

// The key columns of a sweep's tables. Each table begins with the columns of settings. Then `runs`
// has the cases and `summary` may have the market. The columns of variants follow.
struct Keys {
  Names settings, variants;
  bool market = false;
};

Keys keys_of(const Names& summary, const Names& runs) {
  Keys keys;
  std::size_t at = 0;
  while (at < summary.size() && at < runs.size() && summary[at] == runs[at] &&
         summary[at] != "market")
    keys.settings.push_back(summary[at++]);
  keys.market = at < summary.size() && summary[at] == "market";
  if (keys.market) at += 2;  // the market and the number of markets
  while (at < summary.size() && summary[at] != "rank") keys.variants.push_back(summary[at++]);
  if (at == summary.size())
    throw std::runtime_error("the table summary has no column rank, expected a sweep's results");
  return keys;
}

Names lines_of_commands(const fs::path& file) {
  std::ifstream in(file);
  Names lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Json rows_of(SQLite::Database& db) {
  Json rows = Json::array();
  SQLite::Statement query(db, "SELECT * FROM summary");
  while (query.executeStep()) {
    Json row = Json::array();
    for (int i = 0; i < query.getColumnCount(); ++i) row.push_back(cell(query.getColumn(i)));
    rows.push_back(row);
  }
  return rows;
}

// The columns that report/src/sweep reads in addition to the keys.
constexpr const char* kShown[] = {"rank",
                                  "n",
                                  "cost_usd_mean",
                                  "cost_usd_ci95",
                                  "cost_usd_p5",
                                  "cost_usd_p50",
                                  "cost_usd_p95",
                                  "makespan_h_mean",
                                  "makespan_h_ci95",
                                  "late_share",
                                  "savings",
                                  "dearer_than_first_usd_mean",
                                  "dearer_than_first_usd_ci95",
                                  "pareto",
                                  "computed_between_h",
                                  "spot_billed_h",
                                  "billed_h",
                                  "interruptions"};

// The common begin of all commands, up to and including a space.
std::string common_begin(const Names& commands) {
  std::string common;
  for (const std::string& command : commands) {
    if (command.empty()) continue;
    if (common.empty()) common = command;
    common.resize(
        static_cast<std::size_t>(std::ranges::mismatch(common, command).in1 - common.begin()));
  }
  return common.substr(0, common.rfind(' ') + 1);
}

}  // namespace

Json sweep_report(const fs::path& sweep) {
  const fs::path file = sweep / kResults;
  try {
    SQLite::Database db(file.string(), SQLite::OPEN_READONLY);
    const Names columns = columns_of(db, "summary");
    const Keys keys = keys_of(columns, columns_of(db, "runs"));
    const Names commands = lines_of_commands(sweep / "command.txt");
    Json each = Json::array();
    if (commands.size() > 1) each = Names(commands.begin() + 1, commands.end());
    return {{"schema", kSweepSchema},
            {"kind", "sweep"},
            {"name", fs::absolute(sweep).lexically_normal().filename().string()},
            {"command", commands.empty() ? Json(nullptr) : Json(commands.front())},
            {"settings", keys.settings},
            {"market", keys.market},
            {"variants", keys.variants},
            {"columns", columns},
            {"rows", rows_of(db)},
            {"commands", each}};
  } catch (const SQLite::Exception& error) {
    throw std::runtime_error(fmt::format("{}: {}, expected the results of `spotsim sweep`",
                                         file.string(), error.what()));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

Json shown_part(const Json& sweep) {
  const Names columns = sweep.at("columns");
  const auto first = std::ranges::find(columns, "rank");
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (i < static_cast<std::size_t>(first - columns.begin()) ||
        std::ranges::find(kShown, columns[i]) != std::end(kShown))
      kept.push_back(i);
  const auto part_of = [&](const Json& row) {
    Json part = Json::array();
    for (const std::size_t i : kept) part.push_back(row[i]);
    return part;
  };
  Json part = sweep;
  part["columns"] = part_of(sweep["columns"]);
  for (Json& row : part["rows"]) row = part_of(row);
  Names commands = sweep["commands"];
  const std::string begin = common_begin(commands);
  for (std::string& command : commands)
    if (!command.empty()) command.erase(0, begin.size());
  part["commands_begin"] = begin;
  part["commands"] = commands;
  return part;
}

}  // namespace sim::report
