// Which kernels this processor runs.
#pragma once

#include <span>

#include "trainer/cpu/kernels/kernels.h"

namespace spottrain::cpu {

// All sets, slowest first: "v3" and "v4", as the x86-64 levels of the System V ABI; none on another
// processor.
std::span<const Kernels* const> all_kernels();
bool runs_here(const Kernels& kernels);
// The fastest kernels for this processor, or those in the environment variable SPOTTRAIN_KERNELS.
// Null if the processor supports none. Throws std::invalid_argument if the named kernels do not
// exist or need another processor.
const Kernels* fastest_kernels();

}  // namespace spottrain::cpu
