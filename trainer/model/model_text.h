// The text that describes a model: one layer a line, as docs/spottrain.md shows it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "trainer/model/description.h"

namespace spottrain {

// Parses a model's text. The data set determines the shape of images and the number of classes;
// `dense classes` has as many outputs. Layers without name=… are named by kind and count: "conv2",
// inside a residual "block1.conv2" or "block1.shortcut.conv1". The model's name is the file's name
// without folder and extension. Throws std::invalid_argument, "file:line:column: …", if the text or
// the model is impossible.
ModelDescription parse_model(std::string_view text, const std::string& file, ImageShape input,
                             int classes);

// The inverse of parse_model(), in one canonical form: every residual is complete, and defaults are
// omitted.
std::string model_text(const ModelDescription& model);

}  // namespace spottrain
