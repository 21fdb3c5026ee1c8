#include "sim/messaging/message.h"

#include <cstdint>

#include "sim/objects/digest.h"

namespace sim::messaging {
namespace {

void append_sized(std::string& out, const std::string& text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(size >> shift & 0xff);
  out += text;
}

}  // namespace

std::string md5_of(const std::string& body) {
  return objects::to_hex(objects::digest_of(objects::Algorithm::kMd5, body));
}

std::string md5_of(const Attributes& attributes) {
  constexpr char kText = 1, kBinary = 2;
  std::string encoded;
  for (const auto& [name, attribute] : attributes) {
    append_sized(encoded, name);
    append_sized(encoded, attribute.type);
    encoded += attribute.type.starts_with("Binary") ? kBinary : kText;
    append_sized(encoded, attribute.value);
  }
  return md5_of(encoded);
}

}  // namespace sim::messaging
