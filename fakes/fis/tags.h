// The tags of experiments and templates, on which policies can decide.
#pragma once

#include <map>
#include <string>

#include "fakes/backend.h"

namespace fakes::fis {

// Returns null for an ARN without an experiment or a template.
const std::map<std::string, std::string>* find_tags(Backend& backend, const std::string& arn);

}  // namespace fakes::fis
