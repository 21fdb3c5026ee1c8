// Structs as XML elements: the responses of the ec2 and query protocols, and both ways of rest-xml.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "api/table.h"

namespace api {

enum class Way { kRequest, kResponse };

// Escaped as text or as an attribute's value.
void append_xml_text(std::string& out, std::string_view text);

// The body members of a structure, each as an element.
void append_xml(std::string& out, const Shape& structure, const void* object, Way way);
// One element of that name.
void append_xml_element(std::string& out, std::string_view name, const Shape& shape,
                        const void* value, std::string_view xmlns, Way way);

// The members below `node`. `strict`: throws Refusal kUnknown and kUnsupported, as for a request;
// else what is no member is passed over. Throws Refusal kType.
void read_xml(pugi::xml_node node, const Shape& structure, void* object, Way way, bool strict);

}  // namespace api
