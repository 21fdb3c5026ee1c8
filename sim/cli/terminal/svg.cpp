#include "sim/cli/terminal/svg.h"

#include <fmt/format.h>

#include <sstream>

namespace sim::cli::svg {

pugi::xml_node begin(pugi::xml_document& document, double width, double height) {
  pugi::xml_node root = document.append_child("svg");
  root.append_attribute("xmlns") = "http://www.w3.org/2000/svg";
  root.append_attribute("viewBox") = fmt::format("0 0 {} {}", width, height).c_str();
  root.append_attribute("font-family") = "sans-serif";
  root.append_attribute("font-size") = 12;
  root.append_attribute("fill") = kInk;
  pugi::xml_node ground = root.append_child("rect");
  ground.append_attribute("width") = "100%";
  ground.append_attribute("height") = "100%";
  ground.append_attribute("fill") = "white";
  return root;
}

void text(pugi::xml_node& parent, double x, double y, const std::string& what, const char* anchor) {
  pugi::xml_node node = parent.append_child("text");
  node.append_attribute("x") = fmt::format("{:.1f}", x).c_str();
  node.append_attribute("y") = fmt::format("{:.1f}", y).c_str();
  node.append_attribute("text-anchor") = anchor;
  node.text() = what.c_str();
}

void path(pugi::xml_node& parent, const std::string& d, const char* fill, const char* stroke) {
  pugi::xml_node node = parent.append_child("path");
  node.append_attribute("d") = d.c_str();
  node.append_attribute("fill") = fill;
  node.append_attribute("stroke") = stroke;
}

void circle(pugi::xml_node& parent, double x, double y, double radius, const char* fill,
            const char* stroke) {
  pugi::xml_node node = parent.append_child("circle");
  node.append_attribute("cx") = fmt::format("{:.1f}", x).c_str();
  node.append_attribute("cy") = fmt::format("{:.1f}", y).c_str();
  node.append_attribute("r") = fmt::format("{:g}", radius).c_str();
  node.append_attribute("fill") = fill;
  node.append_attribute("stroke") = stroke;
}

std::string written(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, " ", pugi::format_default | pugi::format_no_declaration);
  return out.str();
}

}  // namespace sim::cli::svg
