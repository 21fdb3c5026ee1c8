// The source revision from which this program was built.
#pragma once

#include <string_view>

namespace spottrain {

// `git describe` when the build was configured; "unknown" without git or a repository.
std::string_view code_revision();

}  // namespace spottrain
