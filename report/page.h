// The page of a report: one HTML file that needs nothing else.
#pragma once

#include <string>
#include <string_view>

namespace page {

// Whether the build had esbuild and d3.
bool has_page();

// The page that shows this JSON. Throws std::runtime_error that says what to install where the
// build has no page.
std::string page_of(std::string_view json);

// The JSON as it may stand in a <script> of HTML: with the same meaning, and without any "<" or
// line separator.
std::string for_script(std::string_view json);

}  // namespace page
