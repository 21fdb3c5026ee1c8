// The page of a report: one HTML file that needs nothing else.
#pragma once

#include <string>
#include <string_view>

namespace page {

// Whether the build had esbuild and d3.
bool has_page();

// A message for users whose build has no page: how to get one.
extern const char* const kNoPage;

// The page that shows this JSON. Throws std::runtime_error with kNoPage where the build has none.
std::string page_of(std::string_view json);

// The page of `spotsim serve --ui`, which asks the service for its data. Empty where the build has
// no page.
std::string live_page();

// The JSON as it may stand in a <script> of HTML: with the same meaning, and without any "<" or
// line separator.
std::string for_script(std::string_view json);

}  // namespace page
