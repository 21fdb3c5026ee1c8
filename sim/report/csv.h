// The data of a run's page as CSV tables (RFC 4180), for spreadsheets and data frames.
#pragma once

#include <string>
#include <vector>

#include "sim/events/event.h"

namespace sim::report {

struct CsvTable {
  std::string name;  // such as "attempts"
  std::string text;  // lines that end with a line feed; the first contains the column names
};

// `report` is the JSON of run_report(). Times are seconds since the start of the run.
// docs/report.md lists the tables.
std::vector<CsvTable> csv_tables(const Json& report);

}  // namespace sim::report
