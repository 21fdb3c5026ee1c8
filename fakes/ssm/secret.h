// A SecureString parameter of the account. Other services make them: nobody puts parameters here.
#pragma once

#include <string>

#include "sim/kernel/time.h"

namespace fakes::ssm {

struct Secret {
  std::string value;
  sim::Time made{};
};

}  // namespace fakes::ssm
