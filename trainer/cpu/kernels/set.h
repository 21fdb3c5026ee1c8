// The kernels of one instruction set, as declared in kernels.h; the build compiles this folder's
// sources once for each set, with SPOTTRAIN_ISA naming it.
#pragma once

#include "trainer/cpu/kernels/kernels.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {

void product(const Product&);
void outer_sum(const OuterSum&);

void sum(NormRun, const float* x, LaneSums sums);
void moments(NormRun, const float* x, const float* shift, LaneSums sums, LaneSums squares);
void normalize(NormRun, const float* x, const float* scale, const float* offset,
               const float* addend, bool relu, float* y);
void normalize_sums(NormRun, const float* x, const float* mean, const float* y, float* g,
                    LaneSums sums, LaneSums products);
void normalize_gradient(NormRun, const float* x, const float* mean, const float* g,
                        const float* scale, const float* bias, const float* slope, bool accumulate,
                        float* dx);

void add(std::size_t count, const float* a, const float* b, bool relu, float* y);
void relu_mask(std::size_t count, const float* y, float* g);
void scale(std::size_t count, const float* x, float factor, const std::uint8_t* kept,
           bool accumulate, float* y);
void dropout_mask(const DropoutMask&, std::size_t first, std::size_t count, std::uint8_t* kept);
void sum_parts(const float* parts, std::ptrdiff_t stride, int count, std::size_t size, float* sum);
void max_pool(const MaxPooling&);
void max_pool_gradient(const MaxPooling&);

void sgd(const OptimizerStep&);
void nesterov(const OptimizerStep&);
void adam(const OptimizerStep&);
void adamw(const OptimizerStep&);

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
