// The pages as the build has bundled them: a report's in two parts, and the live one. All are empty
// where the build had no esbuild.
#pragma once

#include <string_view>

namespace page {

extern const std::string_view kBefore, kAfter, kLive;

}  // namespace page
