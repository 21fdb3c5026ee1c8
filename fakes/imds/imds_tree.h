// The content of an instance's metadata service: a table of paths.
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
  sim::Time modified;  // last change; the launch for constant values
};

// The answer for a path below the version ("meta-data/placement/region", "dynamic/", ""): a value,
// or the listing of a folder with or without its final slash. Empty if it does not exist now. With
// `old_credentials` the role's credentials are the previous, expired ones.
std::optional<Metadata> read_metadata(const Backend& backend, const sim::cloud::Instance& instance,
                                      std::string_view path, bool old_credentials = false);

}  // namespace fakes
