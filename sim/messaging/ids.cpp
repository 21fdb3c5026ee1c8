#include "sim/messaging/ids.h"

#include <fmt/format.h>

namespace sim::messaging {

std::string Ids::uuid(std::string_view kind) {
  auto found = kinds_.find(kind);
  if (found == kinds_.end())
    found = kinds_.emplace(std::string(kind), streams_.stream("messaging-id", kind)).first;
  const auto a = found->second.next(), b = found->second.next();
  return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     b >> 48 & 0xfff, b & 0xffff'ffff'ffff);
}

}  // namespace sim::messaging
