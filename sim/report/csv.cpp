#include "sim/report/csv.h"

#include <utility>

namespace sim::report {
namespace {

std::string cell(const Json& value) {
  if (value.is_null()) return {};
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

class Table {
 public:
  Table(std::string name, std::vector<std::string> columns)
      : table_{std::move(name), {}}, columns_(std::move(columns)) {
    row(Json(columns_));
  }

  void row(const Json& cells) {
    std::string line;
    for (const Json& value : cells) line += (line.empty() ? "" : ",") + cell(value);
    table_.text += line + '\n';
  }
  // Adds rows. The columns are the keys of the object.
  void object(const Json& object) {
    Json cells = Json::array();
    for (const std::string& column : columns_) cells.push_back(object.value(column, Json()));
    row(cells);
  }
  CsvTable take() { return std::move(table_); }

 private:
  CsvTable table_;
  std::vector<std::string> columns_;
};

CsvTable attempts(const Json& report) {
  Table table("attempts", {"number", "instance_id", "instance_type", "availability_zone",
                           "lifecycle", "launched_at", "first_step_at", "notice_at", "ended_at",
                           "end_reason", "steps_done", "steps_kept", "billed_seconds", "cost_usd"});
  for (const Json& attempt : report["result"]["attempts"]) table.object(attempt);
  return table.take();
}

CsvTable spans(const Json& report) {
  Table table("spans", {"kind", "id", "name", "pool", "what", "from", "to"});
  for (const Json& lane : report["lanes"])
    for (const Json& span : lane["spans"])
      table.row({lane["kind"], lane["id"], lane["name"], lane["pool"], span["what"], span["from"],
                 span["to"]});
  return table.take();
}

CsvTable marks(const Json& report) {
  Table table("marks", {"kind", "lane", "at", "text", "line"});
  for (const Json& mark : report["marks"]) table.object(mark);
  return table.take();
}

// A table with a row for each pair of time and value in one member of each pool.
CsvTable of_pools(const Json& report, const char* member, const char* value) {
  Table table(member, {"pool", "at", value});
  for (const Json& pool : report["pools"])
    for (const Json& pair : pool[member]) table.row({pool["pool"], pair[0], pair[1]});
  return table.take();
}

CsvTable of_training(const Json& report, const char* member, const char* value) {
  Table table(member, {"instance_id", "start_step", "kept_through", "at", value});
  for (const Json& piece : report["training"])
    for (const Json& pair : piece[member])
      table.row(
          {piece["instance_id"], piece["start_step"], piece["kept_through"], pair[0], pair[1]});
  return table.take();
}

CsvTable ledger(const Json& report, const char* name, const char* member, const char* value) {
  Table table(name, {"part", value});
  for (const auto& [part, amount] : report["result"][member].items()) table.row({part, amount});
  return table.take();
}

}  // namespace

std::vector<CsvTable> csv_tables(const Json& report) {
  return {attempts(report),
          spans(report),
          marks(report),
          of_pools(report, "prices", "usd_per_hour"),
          of_pools(report, "capacity", "slots"),
          of_training(report, "steps", "step"),
          of_training(report, "loss", "loss"),
          ledger(report, "time", "time_ledger_seconds", "seconds"),
          ledger(report, "money", "money_ledger_usd", "usd")};
}

}  // namespace sim::report
