// A permission that calls needed and that IAM did not find, for an account whose IAM decides.
#pragma once

#include <cstdint>
#include <string>

#include "sim/kernel/time.h"

namespace sim::result {

// A permission that a caller lacked, with the calls that IAM refused for this reason.
struct MissingPermission {
  std::string action;     // "ec2:AttachVolume"
  std::string principal;  // ARN
  std::string caller;     // an instance's ID or "operator"
  std::string reason;     // of iam.denied
  std::string resource;   // of the first refused call
  Time first{};
  std::int64_t calls = 0;
};

// Who lacked it, why and where: "arn:… (i-1): no policy allows it on vol-1, 2 calls".
std::string in_words(const MissingPermission& missing);

}  // namespace sim::result
