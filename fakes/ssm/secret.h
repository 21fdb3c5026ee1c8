// A SecureString parameter of the account. Only other services make such parameters.
#pragma once

#include <string>

#include "sim/kernel/time.h"

namespace fakes::ssm {

struct Secret {
  std::string value;
  sim::Time made{};
};

}  // namespace fakes::ssm
