// Percent encoding (RFC 3986, section 2.1).
#pragma once

#include <string>
#include <string_view>

#include "base/text/percent.h"

namespace api {

using base::append_percent;

// Decodes a text. `plus_is_blank` is for forms and query strings. Throws Refusal kMalformed for a
// '%' without two digits, for text that is not UTF-8, and for control characters other than tab and
// line ends.
std::string percent_decode(std::string_view text, bool plus_is_blank);

// Whether the bytes are UTF-8 without control characters other than tab and line ends.
bool is_text(std::string_view bytes);

}  // namespace api
