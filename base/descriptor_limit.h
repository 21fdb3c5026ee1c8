// How many descriptors this process may have open.
#pragma once

namespace base {

// As many as the hard limit permits. The usual soft limit, 1,024, exists for programs that call
// select(2).
void raise_descriptor_limit();

// For a program that another one starts: the usual soft limit again, or the hard one if that is
// lower. Async-signal-safe.
void set_usual_descriptor_limit();

}  // namespace base
