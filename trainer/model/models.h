// The models that spottrain knows by name. Each is a text in builtin/, in the same format as a
// user's own file; `spottrain models` prints them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trainer/model/description.h"

namespace spottrain {

struct BuiltinModel {
  std::string_view name, text;
};

// In the alphabetical order of their names.
std::span<const BuiltinModel> builtin_models();

// A model by its name or else from its file. Throws std::invalid_argument, naming the file and the
// place in it, or the names that are known.
ModelDescription load_model(const std::string& name_or_file, ImageShape input, int classes);

}  // namespace spottrain
