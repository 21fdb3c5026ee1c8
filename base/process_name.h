// What others see of this process in ps(1).
#pragma once

#include <string>

namespace base {

// Its name, of which the kernel keeps 15 letters, and in the place of its arguments. For children
// that never run a program of their own: pgrep -f would find them by what this program was called
// with. The environment that it was started with is gone, too.
void name_process(const std::string& name);

}  // namespace base
