// Converts the bytes of an image to a model's input values.
#pragma once

#include <vector>

#include "trainer/data/data_set.h"

namespace spottrain {

// A byte v of channel c becomes (v − mean[c]) × scale[c].
struct Normalisation {
  std::vector<float> mean, scale;
};

// Mean and 1 ÷ standard deviation of each channel over all pixels of these images. The deviation is
// that of the population, not of a sample. A channel that never varies has scale 1. The sums are
// integers, so the result is the same on every machine.
Normalisation normalisation_of(const Images& images);

// The normalisation (v ÷ 255 − ½) × 4 in each channel, for any images.
Normalisation fixed_normalisation(int channels);

}  // namespace spottrain
