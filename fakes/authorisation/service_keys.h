// The condition keys of single services other than EC2 (Service Authorization Reference, "Actions,
// resources, and condition keys").
#pragma once

#include <optional>
#include <string_view>

#include "fakes/authorisation/context.h"

namespace fakes::authorisation {

// The values of a key in lower case, such as "sns:protocol" or "s3:existingobjecttag/team". Empty
// for keys that the request or the resource lacks.
std::optional<sim::iam::Values> find_service_key(const Subject& subject, std::string_view key);

// The value of an Auto Scaling group's tag. A group that the request creates has the request's
// tags. `key` is in lower case.
std::optional<sim::iam::Values> tag_of_group(const Subject& subject, std::string_view key);

}  // namespace fakes::authorisation
