// A generated data set in CIFAR-10's binary format. It has ten classes of shapes, in random pose
// and colours, on a random gradient with clutter and noise. So neither colour, position nor
// brightness determines the class. All arithmetic is in integers: the same seed gives the same
// bytes on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "trainer/data/cifar.h"
#include "trainer/data/data_set.h"

namespace spottrain {

enum class Split : std::uint32_t { train = 0, test = 1 };

using Record = std::array<std::uint8_t, kRecordBytes>;

// Image number `index` of a split. Images are independent: the first thousand of a larger set are
// the set of a thousand.
Record shape_record(std::uint64_t seed, Split split, std::uint32_t index);

// The classes' names, by label.
const std::array<std::string_view, kClasses>& shape_names();

// Writes a data set into a folder, and makes the folder if it is missing. data_batch_1.bin … have
// 10 000 records each (the last one has the rest). The other files are test_batch.bin and
// batches.meta.txt. Throws DataError if a file cannot be written.
void write_shapes(const std::filesystem::path& folder, std::uint32_t train, std::uint32_t test,
                  std::uint64_t seed);

}  // namespace spottrain
