// The kernels of one instruction set, as declared in kernels.h; the build compiles this folder's
// sources once for each set, with SPOTTRAIN_ISA naming it.
#pragma once

#include "trainer/cpu/kernels/kernels.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {

void product(const Product&);
void outer_sum(const OuterSum&);

void sum(Area, ConstRows x, LaneSums sums);
void moments(Area, ConstRows x, const float* shift, LaneSums sums, LaneSums squares);
void normalize(Area, ConstRows x, const float* scale, const float* offset, ConstRows addend,
               bool relu, Rows y);
void normalize_sums(Area, ConstRows x, const float* mean, ConstRows y, Rows g, LaneSums sums,
                    LaneSums products);
void normalize_gradient(Area, ConstRows x, const float* mean, ConstRows g, const float* scale,
                        const float* bias, const float* slope, bool accumulate, Rows dx);

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
