// The part of a content that a request asks for (header Range).
#pragma once

#include <cstdint>
#include <string_view>

namespace fakes {

struct ByteRange {
  enum class Kind { kWhole, kPart, kUnsatisfiable } kind = Kind::kWhole;
  std::uint64_t first = 0, count = 0;  // of a part
};
// Reads a Range header (RFC 9110, 14.1.2) for a content of that size. An invalid header, or one
// with several ranges, is ignored, as RFC 9110 permits.
ByteRange read_byte_range(std::string_view header, std::uint64_t size);

}  // namespace fakes
