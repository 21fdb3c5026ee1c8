#pragma once

#include "base/file_descriptor.h"

namespace sim::guest {
using base::FileDescriptor;
}  // namespace sim::guest
