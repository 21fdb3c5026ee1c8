// The account's registry of container images: its repositories. An image is a folder of the
// scenario, so nothing is pushed here and nothing pulled.
#pragma once

#include <map>
#include <string>

#include "sim/kernel/time.h"

namespace fakes::ecr {

struct Repository {
  sim::Time created{};
  std::string tag_mutability = "MUTABLE", encryption = "AES256", key = {};
  bool scan_on_push = false;
};
using Registry = std::map<std::string, Repository>;

}  // namespace fakes::ecr
