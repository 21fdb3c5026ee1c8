// Which kernels this processor runs.
#pragma once

#include <span>

#include "trainer/cpu/kernels/kernels.h"

namespace spottrain::cpu {

// All sets, slowest first: "v3" and "v4", as the x86-64 levels of the System V ABI; none on another
// processor.
std::span<const Kernels* const> all_kernels();
bool runs_here(const Kernels& kernels);
// The fastest that runs here, or the one that the environment variable SPOTTRAIN_KERNELS names;
// null where none runs. Throws std::invalid_argument when the named one is none of ours or needs
// another processor.
const Kernels* fastest_kernels();

}  // namespace spottrain::cpu
