// SVG as a bitmap.
#pragma once

#include <string>

namespace sim::cli {

// Draws SVG as the bytes of a PNG file, with two pixels for each unit of the picture. It uses the
// program rsvg-convert. If the program is missing or fails, it throws std::runtime_error with a
// remedy.
std::string png_of(const std::string& svg);

}  // namespace sim::cli
