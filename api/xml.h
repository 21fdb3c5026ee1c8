// Structs as XML elements: the responses of the ec2 and query protocols, and requests and responses
// of rest-xml.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "api/table.h"
#include "api/written_list.h"

namespace api {

enum class Way { kRequest, kResponse };

// The declaration before the root element of an answer.
inline constexpr std::string_view kXmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

// Escapes a text for an element or an attribute's value.
void append_xml_text(std::string& out, std::string_view text);

// Writes the body members of a structure, each as an element. One of them may be text already.
void append_xml(std::string& out, const Shape& structure, const void* object, Way way,
                const WrittenList& written = {});
// Writes an element of a list, in the form of WrittenList.
void append_xml_item(std::string& out, const Shape& list, const void* element, Way way);
// Writes one element of that name.
void append_xml_element(std::string& out, std::string_view name, const Shape& shape,
                        const void* value, std::string_view xmlns, Way way);

// Parses a message into `document` and returns its root element. Throws Refusal kMalformed.
pugi::xml_node parse_xml(pugi::xml_document& document, std::string_view text);

// Reads the members below `node`. Throws Refusal kType, and kMalformed for nesting deeper than
// kDeepest. Without `strict`, unknown elements are ignored. With `strict`, as for a request, it
// also throws Refusal kUnknown and kUnsupported, kType for an element that is not a text, and
// kMalformed for a repeated member. Members that the model marks as ignored are always accepted.
void read_xml(pugi::xml_node node, const Shape& structure, void* object, Way way, bool strict);

}  // namespace api
