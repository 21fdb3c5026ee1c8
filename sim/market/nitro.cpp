#include "sim/market/nitro.h"

#include <algorithm>
#include <iterator>

namespace sim::market {
namespace {

// Families on Xen, except for their ".metal" sizes.
constexpr std::string_view kXen[] = {
    "c1", "c3", "c4", "cc1", "cc2", "cg1", "cr1", "d2", "f1", "g2", "g3", "g3s", "h1", "hi1", "hs1",
    "i2", "i3", "m1", "m2",  "m3",  "m4",  "p2",  "p3", "r3", "r4", "t1", "t2",  "x1", "x1e"};

}  // namespace

bool is_on_nitro(std::string_view instance_type) {
  if (instance_type.ends_with(".metal")) return true;
  const std::string_view family = instance_type.substr(0, instance_type.find('.'));
  return std::ranges::find(kXen, family) == std::end(kXen);
}

}  // namespace sim::market
