// The readers of read_data_set, one for each format. `looked_for` names the files of the format.
// `recognises` finds out whether they exist. `read` reads `format`, `classes`, `train` and `test`,
// and throws DataError.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "trainer/data/data_set.h"

namespace spottrain {

struct DataFormat {
  std::string_view name, looked_for;
  bool (*recognises)(const std::filesystem::path& folder);
  DataSet (*read)(const std::filesystem::path& folder, Cifar100Labels labels);
};

bool is_cifar10(const std::filesystem::path& folder);
bool is_cifar100(const std::filesystem::path& folder);
bool is_mnist(const std::filesystem::path& folder);
bool is_optdigits(const std::filesystem::path& folder);

DataSet read_cifar10(const std::filesystem::path& folder, Cifar100Labels);
DataSet read_cifar100(const std::filesystem::path& folder, Cifar100Labels labels);
DataSet read_mnist(const std::filesystem::path& folder, Cifar100Labels);
DataSet read_optdigits(const std::filesystem::path& folder, Cifar100Labels);

// All formats.
std::span<const DataFormat> data_formats();

}  // namespace spottrain
