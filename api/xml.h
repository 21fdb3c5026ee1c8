// Structs as XML elements: the responses of the ec2 and query protocols, and both ways of rest-xml.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "api/table.h"
#include "api/written_list.h"

namespace api {

enum class Way { kRequest, kResponse };

// Escaped as text or as an attribute's value.
void append_xml_text(std::string& out, std::string_view text);

// The body members of a structure, each as an element; one of them may be text already.
void append_xml(std::string& out, const Shape& structure, const void* object, Way way,
                const WrittenList& written = {});
// An element of a list, as a WrittenList has it.
void append_xml_item(std::string& out, const Shape& list, const void* element, Way way);
// One element of that name.
void append_xml_element(std::string& out, std::string_view name, const Shape& shape,
                        const void* value, std::string_view xmlns, Way way);

// The root element of a message, which `document` holds. Throws Refusal kMalformed.
pugi::xml_node parse_xml(pugi::xml_document& document, std::string_view text);

// The members below `node`. What is no member is passed over; but `strict`, as for a request,
// throws Refusal kUnknown and kUnsupported, kType for what is no text, and kMalformed for a member
// given twice; it passes over what the model marks as ignored. Throws Refusal kType, and kMalformed
// for nesting deeper than kDeepest.
void read_xml(pugi::xml_node node, const Shape& structure, void* object, Way way, bool strict);

}  // namespace api
