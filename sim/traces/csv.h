// Comma-separated lines as price histories have them: a header, no quotes, no commas in a field.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/in_parallel.h"
#include "sim/market/price_history.h"
#include "sim/traces/trace_file.h"

namespace sim::traces {

// The first line of a text, without its line end.
std::string_view first_line(std::string_view text);

// Removes the first line from the front of text. The line end, which may be CRLF, is not returned.
std::string_view take_line(std::string_view& text);

// The fields of a line.
void split(std::string_view line, std::vector<std::string_view>& fields, char separator = ',');

// How a file is cut into rows.
struct LineLayout {
  std::size_t columns = 0;
  std::string_view names;  // of the columns, for messages
  char separator = ',';
  bool header = true;  // the first line is no row
};
// The layout of a file whose first line names the columns.
LineLayout layout_of_header(std::string_view header, char separator = ',');

// Splits the text into at most `count` parts of about equal length, each of whole lines.
std::vector<std::string_view> parts_of(std::string_view text, std::size_t count);

// A large file in parts of whole lines, which are read block by block: the whole text is never in
// memory.

// Bytes of a file; each part but the last ends with a line's end.
struct FilePart {
  std::uintmax_t begin, end;
};

// Splits the bytes from `begin` to `end` into at most `count` parts of about equal length. Throws
// TraceError.
std::vector<FilePart> file_parts(const std::filesystem::path& file, std::uintmax_t begin,
                                 std::uintmax_t end, std::size_t count);

// Calls lines(text) with consecutive lines of the part, one block at a time, in order. Throws
// TraceError, also when the file has become shorter.
void read_file_part(const std::filesystem::path& file, FilePart part,
                    const std::function<void(std::string_view)>& lines);

// Calls row(line number, fields) for each line of `rest`, whose first line has number `number`;
// blank lines are skipped. Throws TraceError for a line with another number of fields; the message
// lists the fields as `names`. A template, so that a row costs no call.
template <typename Row>
void read_lines(const TraceFile& file, std::string_view rest, std::size_t number,
                const LineLayout& layout, const Row& row) {
  std::vector<std::string_view> fields;
  for (; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (line.empty()) continue;
    split(line, fields, layout.separator);
    if (fields.size() != layout.columns)
      fail_at_line(file, number, "line", line,
                   std::to_string(layout.columns) + " fields: " + std::string(layout.names));
    row(number, std::span<const std::string_view>(fields));
  }
}

// Calls row() for each line after the header. The header determines the number of fields.
template <typename Row>
void read_csv(const TraceFile& file, const Row& row) {
  std::string_view rest = file.text;
  const LineLayout layout = layout_of_header(take_line(rest));
  read_lines(file, rest, 2, layout, row);
}

// Reads a file in several parts at once, each on its own thread. Calls row(Part&, line number,
// fields) with the object that collects the part's lines. The fields' texts are valid until row()
// returns. Returns the parts in the order of the file. The file may be given by its beginning only
// (TraceFile::size).
template <typename Part, typename Row>
std::vector<Part> read_csv_parts(const TraceFile& file, std::size_t count, const LineLayout& layout,
                                 const Row& row) {
  std::string_view rest = file.text;
  if (layout.header) take_line(rest);
  const auto read_part = [&](Part& part, std::string_view text) {
    read_lines(file, text, layout.header ? 2 : 1, layout,
               [&](std::size_t line, auto fields) { row(part, line, fields); });
  };
  std::vector<Part> parts;
  try {
    if (file.size == 0) {
      const auto texts = parts_of(rest, count);
      parts.resize(texts.size());
      base::in_parallel(texts.size(), [&](std::size_t i) { read_part(parts[i], texts[i]); });
    } else {
      const auto bytes = file_parts(file.path, file.text.size() - rest.size(), file.size, count);
      parts.resize(bytes.size());
      base::in_parallel(bytes.size(), [&](std::size_t i) {
        read_file_part(file.path, bytes[i],
                       [&](std::string_view text) { read_part(parts[i], text); });
      });
    }
  } catch (const TraceError&) {
    // A part does not know line numbers of the whole file, so the file is read again in one part.
    if (file.size == 0 && parts.size() == 1) throw;
    if (file.size == 0) return read_csv_parts<Part>(file, 1, layout, row);
    return read_csv_parts<Part>(load_trace_file(file.path), 1, layout, row);
  }
  return parts;
}
template <typename Part, typename Row>
std::vector<Part> read_csv_parts(const TraceFile& file, std::size_t count, const Row& row) {
  return read_csv_parts<Part>(file, count, layout_of_header(first_line(file.text)), row);
}

// Reads a file without a header in the same way: every line has `columns` fields.
template <typename Row>
void read_rows(const TraceFile& file, std::size_t columns, std::string_view names, const Row& row) {
  read_lines(file, file.text, 1, {.columns = columns, .names = names, .header = false}, row);
}

}  // namespace sim::traces
