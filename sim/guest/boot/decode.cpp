#include "sim/guest/boot/decode.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "base/text/base64.h"
#include "base/text/lower_case.h"

namespace sim::guest::boot {
namespace {

constexpr std::size_t kLargest = 16 << 20;
constexpr int kDeepest = 8;  // containers in containers

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// The next line with its end, taken off the text.
std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
  text.remove_prefix(line.size());
  return line;
}

using Headers = std::map<std::string, std::string>;  // by name in lower case

// Removes the headers and the empty line after them from the text.
Headers take_headers(std::string_view& text) {
  Headers out;
  std::string* last = nullptr;
  if (text.starts_with("From ")) take_line(text);  // a mailbox's
  while (!text.empty()) {
    std::string_view rest = text;
    const std::string_view line = take_line(rest);
    if (trimmed(line).empty()) {
      text = rest;
      return out;
    }
    const auto colon = line.find(':');
    if ((line[0] == ' ' || line[0] == '\t') && last != nullptr) {
      *last += " " + std::string(trimmed(line));
    } else if (colon != std::string_view::npos && colon > 0 &&
               line.substr(0, colon).find_first_of(" \t\r\n#") == std::string_view::npos) {
      last = &out.emplace(base::lower_case(line.substr(0, colon)), trimmed(line.substr(colon + 1)))
                  .first->second;
    } else {
      return out;  // content without an empty line before it
    }
    text = rest;
  }
  return out;
}

std::string header(const Headers& headers, const std::string& name) {
  const auto at = headers.find(name);
  return at == headers.end() ? "" : at->second;
}

// `boundary` of `multipart/mixed; boundary="==X=="`.
std::string parameter(std::string_view value, std::string_view name) {
  while (!value.empty()) {
    const auto semicolon = value.find(';');
    if (semicolon == std::string_view::npos) return {};
    value = trimmed(value.substr(semicolon + 1));
    const auto equals = value.find('=');
    if (equals == std::string_view::npos) return {};
    const bool wanted = base::lower_case(trimmed(value.substr(0, equals))) == name;
    value = trimmed(value.substr(equals + 1));
    std::string_view text;
    if (value.starts_with('"')) {
      const auto end = value.find('"', 1);
      text = value.substr(1, end == std::string_view::npos ? end : end - 1);
      value = end == std::string_view::npos ? std::string_view{} : value.substr(end + 1);
    } else {
      text = trimmed(value.substr(0, value.find(';')));
    }
    if (wanted) return std::string(text);
  }
  return {};
}

std::string from_quoted_printable(std::string_view text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : std::tolower(c) - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') {
      out += text[i];
    } else if (i + 2 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i + 1])) &&
               std::isxdigit(static_cast<unsigned char>(text[i + 2]))) {
      out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else if (const auto end = text.find_first_not_of(" \t\r", i + 1);
               end != std::string_view::npos && text[end] == '\n') {
      i = end;
    } else {
      out += '=';
    }
  }
  return out;
}

std::string decoded(std::string_view content, std::string_view encoding) {
  if (encoding == "base64")
    if (auto bytes = base::base64_decode(content)) return *std::move(bytes);
  if (encoding == "quoted-printable") return from_quoted_printable(content);
  return std::string(content);
}

// The line end before a boundary belongs to it.
std::string_view without_last_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

void append_parts(std::string_view message, int depth, std::vector<MimePart>& out) {
  const Headers headers = take_headers(message);
  const std::string type_header = header(headers, "content-type");
  std::string type =
      base::lower_case(trimmed(std::string_view(type_header).substr(0, type_header.find(';'))));
  if (type.find('/') == std::string::npos) type = "text/plain";
  const std::string boundary = parameter(type_header, "boundary");
  if (!type.starts_with("multipart/") || boundary.empty()) {
    std::string merge = header(headers, "merge-type");
    if (merge.empty()) merge = header(headers, "x-merge-type");
    out.push_back({.type = type,
                   .filename = parameter(header(headers, "content-disposition"), "filename"),
                   .merge = merge,
                   .content = decoded(
                       message, base::lower_case(header(headers, "content-transfer-encoding")))});
    return;
  }
  const std::string delimiter = "--" + boundary;
  const char* begin = nullptr;  // of the part that is being read
  while (!message.empty()) {
    const std::string_view line = take_line(message);
    const std::string_view word = line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
    const bool last = word == delimiter + "--";
    if (!last && word != delimiter) continue;
    if (begin != nullptr && depth < kDeepest)
      append_parts(without_last_line_end({begin, static_cast<std::size_t>(line.data() - begin)}),
                   depth + 1, out);
    begin = message.data();
    if (last) return;
  }
  // An end without its boundary.
  if (begin != nullptr && depth < kDeepest)
    append_parts({begin, static_cast<std::size_t>(message.data() - begin)}, depth + 1, out);
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::optional<std::string> gunzip(std::string_view bytes) {
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::array<char, 65536> part;
  int status = Z_OK;
  while (status == Z_OK && out.size() <= kLargest) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = part.size();
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(part.data(), part.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) return {};
  return out;
}

std::vector<MimePart> parts_of_message(std::string_view message) {
  std::vector<MimePart> out;
  append_parts(message, 0, out);
  return out;
}

}  // namespace sim::guest::boot
