#include "trainer/checkpoint/code_revision.h"

namespace spottrain {

std::string_view code_revision() { return SPOTTRAIN_CODE_REVISION; }

}  // namespace spottrain
