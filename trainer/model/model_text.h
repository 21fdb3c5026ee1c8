// The text that describes a model: one layer a line, as docs/spottrain.md shows it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "trainer/model/description.h"

namespace spottrain {

// The model that a text describes, for images of this shape and this many classes, which the data
// set says; `dense classes` has as many outputs. Layers without name=… are named by kind and count,
// "conv2", inside a residual "block1.conv2" or "block1.shortcut.conv1". The model's name is the
// file's without folder and extension. Throws std::invalid_argument, "file:line:column: …", where
// the text or the model that it describes is impossible.
ModelDescription parse_model(std::string_view text, const std::string& file, ImageShape input,
                             int classes);

// parse_model's inverse, in one canonical form: every residual written out, defaults left out.
std::string model_text(const ModelDescription& model);

}  // namespace spottrain
