// The ten shapes as functions that test a point.
#pragma once

#include "trainer/data/fixed_point.h"

namespace spottrain {

// True when (u, v) lies in the shape of this label (0 to 9). Shapes fill most of [-1, 1]².
bool inside_shape(int label, fixed::Value u, fixed::Value v);

}  // namespace spottrain
