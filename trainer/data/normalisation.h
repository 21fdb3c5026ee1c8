// What a model is shown of a byte.
#pragma once

#include <vector>

#include "trainer/data/data_set.h"

namespace spottrain {

// A byte v of channel c becomes (v − mean[c]) × scale[c].
struct Normalisation {
  std::vector<float> mean, scale;
};

// Mean and 1 ÷ standard deviation of each channel over all pixels of these images (the deviation of
// the whole, not a sample's); scale 1 for a channel that never varies. Summed in integers, so the
// same everywhere.
Normalisation normalisation_of(const Images& images);

// (v ÷ 255 − ½) × 4 in each channel, whatever the images.
Normalisation fixed_normalisation(int channels);

}  // namespace spottrain
