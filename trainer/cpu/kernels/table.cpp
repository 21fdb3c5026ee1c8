// This instruction set's row of the table in dispatch.cpp.
#include "trainer/cpu/kernels/set.h"

#define SPOTTRAIN_TEXT_OF(name) #name
#define SPOTTRAIN_TEXT(name) SPOTTRAIN_TEXT_OF(name)

namespace spottrain::cpu::SPOTTRAIN_ISA {

extern const Kernels kernels;
const Kernels kernels = {
    .name = SPOTTRAIN_TEXT(SPOTTRAIN_ISA),
    .product = product,
    .outer_sum = outer_sum,
    .sum = sum,
    .moments = moments,
    .normalize = normalize,
    .normalize_sums = normalize_sums,
    .normalize_gradient = normalize_gradient,
    .add = add,
    .relu_mask = relu_mask,
    .scale = scale,
    .dropout_mask = dropout_mask,
    .sum_parts = sum_parts,
    .max_pool = max_pool,
    .max_pool_gradient = max_pool_gradient,
    .sgd = sgd,
    .nesterov = nesterov,
    .adam = adam,
    .adamw = adamw,
};

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
