#include "sim/kernel/check.h"

#include <cstdio>
#include <cstdlib>

namespace sim {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "spotsim: bug: %s:%d: %s does not hold\n", file, line, condition);
  std::abort();
}

}  // namespace sim
