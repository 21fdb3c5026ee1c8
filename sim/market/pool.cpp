#include "sim/market/pool.h"

namespace sim::market {

std::string to_string(const Pool& pool) {
  if (pool.availability_zone.empty()) return pool.instance_type;
  return pool.instance_type + "/" + pool.availability_zone;
}

}  // namespace sim::market
