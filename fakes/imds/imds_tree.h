// What the instance metadata service knows of an instance: a table of paths.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fakes/backend.h"
#include "sim/cloud/resources.h"

namespace fakes {

struct Metadata {
  std::string text;
  const char* content_type;
  sim::Time modified;  // when it became what it is; the launch for what stays
};

// The answer for a path below the version ("meta-data/placement/region", "dynamic/", ""): a value,
// or the listing of a folder with or without its slash. Empty when there is no such thing now.
// With `old_credentials` the role's are those before the last renewal, and have expired.
std::optional<Metadata> read_metadata(const Backend& backend, const sim::cloud::Instance& instance,
                                      std::string_view path, bool old_credentials = false);

}  // namespace fakes
