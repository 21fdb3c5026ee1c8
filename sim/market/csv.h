// Comma-separated lines as price histories have them: a header, no quotes, no commas in a field.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "sim/market/trace_file.h"

namespace sim::market {

// The first line of a text, without its line end.
std::string_view first_line(std::string_view text);

// Calls row(line number, fields) for each line after the header; blank lines are skipped, CRLF is a
// line end too. Throws TraceError for a line that has not exactly the header's number of fields.
using CsvRow = std::function<void(std::size_t line, std::span<const std::string_view> fields)>;
void read_csv(const TraceFile& file, const CsvRow& row);

// The same without a header: every line has `columns` fields, which a message calls `names`.
void read_rows(const TraceFile& file, std::size_t columns, std::string_view names,
               const CsvRow& row);

}  // namespace sim::market
