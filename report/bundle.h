// The parts of the page as the build has bundled them. Both are empty where the build had no
// esbuild.
#pragma once

#include <string_view>

namespace page {

extern const std::string_view kBefore, kAfter;

}  // namespace page
