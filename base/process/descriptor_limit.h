// How many descriptors this process may have open.
#pragma once

namespace base {

// As many as the hard limit permits. The usual soft limit, 1,024, exists for programs that call
// select(2).
void raise_descriptor_limit();

// For a started program: restores the usual soft limit, or sets the hard limit if that is lower.
// Async-signal-safe.
void set_usual_descriptor_limit();

}  // namespace base
