#include "fakes/request_ids.h"

#include <cstddef>

namespace fakes {

// By hand, because each request has one. The first draw gives the digits of the first three groups.
std::string RequestIds::next() {
  std::string id = "xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx";
  const std::size_t second = id.find('a');
  auto high = stream_.next(), low = stream_.next();
  for (std::size_t i = id.size(); i-- > 0;) {
    if (id[i] == '-') continue;
    auto& digits = i < second ? high : low;
    if (id[i] == 'x') id[i] = "0123456789abcdef"[digits & 0xf];
    digits >>= 4;
  }
  return id;
}

}  // namespace fakes
