#include "base/process/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace base {
namespace {

constexpr rlim_t kUsual = 1024;

void set_soft_limit(rlim_t most) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min(most, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

void raise_descriptor_limit() { set_soft_limit(RLIM_INFINITY); }

void set_usual_descriptor_limit() { set_soft_limit(kUsual); }

}  // namespace base
