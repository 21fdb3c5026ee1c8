// The name of this process in ps(1).
#pragma once

#include <string>

namespace base {

// Sets the process's name, of which the kernel keeps 15 letters, and replaces its arguments. For
// children that never run another program: otherwise pgrep -f would find them by this program's
// arguments. The initial environment is also removed.
void name_process(const std::string& name);

}  // namespace base
