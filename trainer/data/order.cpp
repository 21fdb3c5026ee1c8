#include "trainer/data/order.h"

#include <numeric>
#include <utility>

#include "trainer/data/philox.h"

namespace spottrain {

std::vector<std::uint32_t> epoch_order(std::uint64_t seed, std::int64_t epoch, std::uint32_t size) {
  std::vector<std::uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0u);
  Philox random(seed, Purpose::data_order, static_cast<std::uint64_t>(epoch));
  for (std::uint32_t i = size; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace spottrain
