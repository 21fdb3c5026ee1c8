// SVG as a bitmap.
#pragma once

#include <string>

namespace sim::cli {

// The bytes of a PNG file with two pixels for each unit of the picture. The program rsvg-convert
// makes it. Throws std::runtime_error that says what to do if the program is missing or fails.
std::string png_of(const std::string& svg);

}  // namespace sim::cli
