// Joins all kernels in one translation unit, so that nvcc reads its headers once for every
// architecture.
#include "trainer/cuda/kernels/elementwise.cu"
#include "trainer/cuda/kernels/loss.cu"
#include "trainer/cuda/kernels/normalization.cu"
#include "trainer/cuda/kernels/optimizer.cu"
#include "trainer/cuda/kernels/pooling.cu"
