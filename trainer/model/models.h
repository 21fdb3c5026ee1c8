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

// The built-in models in alphabetical order.
std::span<const BuiltinModel> builtin_models();

// Loads a model by its name, or else from a file. Throws std::invalid_argument with the file and
// the place in it, or with the known names.
ModelDescription load_model(const std::string& name_or_file, ImageShape input, int classes);

}  // namespace spottrain
