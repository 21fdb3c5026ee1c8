#include "sim/report/sweep_report.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
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
  if (column.isFloat()) return column.getDouble();
  if (column.isText()) return column.getString();
  return nullptr;
}

Names columns_of(SQLite::Database& db, const std::string& table) {
  const SQLite::Statement query(db, "SELECT * FROM " + table + " LIMIT 0");
  Names names;
  for (int i = 0; i < query.getColumnCount(); ++i) names.emplace_back(query.getColumnName(i));
  return names;
}

// A table begins with the columns of settings. Then come the cases in `runs` and perhaps the market
// in `summary`, and then the columns of variants.
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
  if (keys.market) at += 2;  // the market, and how many there are
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

}  // namespace

bool is_sweep(const fs::path& folder) { return fs::exists(folder / kResults); }

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

}  // namespace sim::report
