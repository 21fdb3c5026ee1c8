#include "sim/market/pool.h"

namespace sim::market {

std::string to_string(const Pool& pool) {
  return pool.instance_type + "/" + pool.availability_zone;
}

}  // namespace sim::market
