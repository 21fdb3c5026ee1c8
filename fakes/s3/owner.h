// The owner of all buckets and objects: the simulated account.
#pragma once

#include "api/s3.h"
#include "fakes/backend.h"
#include "sim/objects/digest.h"

namespace fakes::s3 {

// The account's canonical user ID. It has 64 hexadecimal digits, which are computed from the
// account's number.
inline api::s3::Owner owner_of(const Backend& backend) {
  return {.id = sim::objects::to_hex(sim::objects::digest_of(sim::objects::Algorithm::kSha256,
                                                             backend.cloud.config().account_id))};
}

}  // namespace fakes::s3
