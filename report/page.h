// The page of a report: one HTML file that needs nothing else.
#pragma once

#include <string>
#include <string_view>

namespace page {

// True if the build had esbuild and d3.
bool has_page();

// A message for users whose build has no page: how to get one.
extern const char* const kNoPage;

// Returns the page that shows this JSON. Throws std::runtime_error with kNoPage if the build has no
// page.
std::string page_of(std::string_view json);

// The page of `spotsim serve --ui`, which asks the service for its data. Empty if the build has no
// page.
std::string live_page();

// Escapes JSON for a <script> of HTML. The result has the same meaning, and contains no "<" and no
// line separator.
std::string for_script(std::string_view json);

}  // namespace page
