// CIFAR-10's binary format (https://www.cs.toronto.edu/~kriz/cifar.html): records of one label byte
// and 32 × 32 red, then green, then blue bytes, row by row. CIFAR-100's records have two label
// bytes, the coarse one (0 to 19) first, then the fine one (0 to 99).
#pragma once

#include <cstddef>

namespace spottrain {

inline constexpr int kImageSide = 32;
inline constexpr int kImageChannels = 3;
inline constexpr int kPixels = kImageSide * kImageSide;
inline constexpr int kImageBytes = kPixels * kImageChannels;
inline constexpr int kRecordBytes = 1 + kImageBytes;  // of CIFAR-10
inline constexpr int kClasses = 10;                   // of CIFAR-10

}  // namespace spottrain
