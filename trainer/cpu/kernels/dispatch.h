// Selects the kernels for this processor.
#pragma once

#include <span>

#include "trainer/cpu/kernels/kernels.h"

namespace spottrain::cpu {

// All sets, the slowest first: "v3" and "v4", named after the x86-64 levels of the System V ABI.
// Empty on other processors.
std::span<const Kernels* const> all_kernels();
bool runs_here(const Kernels& kernels);
// The fastest kernels for this processor, or those in the environment variable SPOTTRAIN_KERNELS.
// Null if the processor supports none. Throws std::invalid_argument if the named kernels do not
// exist or need another processor.
const Kernels* fastest_kernels();

}  // namespace spottrain::cpu
