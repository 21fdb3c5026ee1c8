// What user data is wrapped in: gzip, and MIME messages of several parts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim::guest::boot {

bool is_gzip(std::string_view bytes);
// The content of one gzip file; empty when it is damaged or larger than 16 MiB.
std::optional<std::string> gunzip(std::string_view bytes);

// A part of a MIME message (RFC 2045 and 2046) that contains no other parts.
struct MimePart {
  std::string type;  // "text/x-shellscript", in lower case; "text/plain" by default
  std::string filename,
      merge;            // of Content-Disposition, of Merge-Type or X-Merge-Type; may be empty
  std::string content;  // without its transfer encoding
};
// The message's parts in order; the parts of nested containers stand in the container's place. Any
// text is a message: the first line that is not a header begins the content.
std::vector<MimePart> parts_of_message(std::string_view message);

}  // namespace sim::guest::boot
