// Adds SVG elements to a tree, for pictures.
#pragma once

#include <pugixml.hpp>
#include <string>

namespace sim::cli::svg {

inline constexpr const char *kInk = "#333333", *kGrid = "#dddddd";

// The root of a picture of this size on white ground.
pugi::xml_node begin(pugi::xml_document& document, double width, double height);
// `anchor` is SVG's: "start", "middle" or "end".
void text(pugi::xml_node& parent, double x, double y, const std::string& what, const char* anchor);
// `d` is SVG's path data.
void path(pugi::xml_node& parent, const std::string& d, const char* fill, const char* stroke);
void circle(pugi::xml_node& parent, double x, double y, double radius, const char* fill,
            const char* stroke);
// The file's text.
std::string written(const pugi::xml_document& document);

}  // namespace sim::cli::svg
