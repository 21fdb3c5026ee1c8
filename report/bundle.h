// The bundled pages: the page of a report in two parts, and the live page. All are empty if the
// build had no esbuild.
#pragma once

#include <string_view>

namespace page {

extern const std::string_view kBefore, kAfter, kLive;

}  // namespace page
