#include "trainer/cpu/kernels/dispatch.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace spottrain::cpu {

#ifdef __x86_64__

namespace v3 {
extern const Kernels kernels;
}
namespace v4 {
extern const Kernels kernels;
}

std::span<const Kernels* const> all_kernels() {
  static constexpr std::array sets{&v3::kernels, &v4::kernels};
  return sets;
}

bool runs_here(const Kernels& kernels) {
  if (&kernels == &v3::kernels) return __builtin_cpu_supports("x86-64-v3");
  return __builtin_cpu_supports("x86-64-v4");
}

#else

std::span<const Kernels* const> all_kernels() { return {}; }
bool runs_here(const Kernels&) { return false; }

#endif

const Kernels* fastest_kernels() {
  const char* forced = std::getenv("SPOTTRAIN_KERNELS");
  const Kernels* best = nullptr;
  for (const Kernels* set : all_kernels()) {
    if (forced && set->name != forced) continue;
    if (runs_here(*set)) {
      best = set;
    } else if (forced) {
      throw std::invalid_argument(fmt::format(
          "SPOTTRAIN_KERNELS={}: this processor lacks instructions of x86-64-{}", forced, forced));
    }
  }
  if (forced && !best) {
    throw std::invalid_argument(fmt::format("SPOTTRAIN_KERNELS={}: expected v3 or v4", forced));
  }
  return best;
}

}  // namespace spottrain::cpu
