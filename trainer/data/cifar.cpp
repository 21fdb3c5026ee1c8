#include "trainer/data/cifar.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>

namespace spottrain {
namespace {

namespace fs = std::filesystem;

// The N of "data_batch_N.bin"; -1 for any other name.
int batch_number(std::string_view name) {
  constexpr std::string_view prefix = "data_batch_", suffix = ".bin";
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) ||
      !name.ends_with(suffix)) {
    return -1;
  }
  name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  int number = -1;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && stop == name.data() + name.size() ? number : -1;
}

void append_records(const fs::path& file, std::vector<std::uint8_t>& records) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  if (error) throw DataError(fmt::format("{}: {}", file.string(), error.message()));
  if (bytes % kRecordBytes != 0) {
    throw DataError(fmt::format("{}: {} bytes is no multiple of a record's {}", file.string(),
                                bytes, kRecordBytes));
  }
  const std::size_t before = records.size();
  records.resize(before + bytes);
  std::ifstream in(file, std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(records.data() + before),
               static_cast<std::streamsize>(bytes))) {
    throw DataError(fmt::format("{}: cannot be read", file.string()));
  }
  for (std::size_t at = before; at < records.size(); at += kRecordBytes) {
    if (records[at] < kClasses) continue;
    throw DataError(fmt::format("{}: record {} has label {}, expected 0 to {}", file.string(),
                                (at - before) / kRecordBytes, records[at], kClasses - 1));
  }
}

std::string fingerprint(const DataSet& data) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_128bits_reset(state.get());
  for (const Images* images : {&data.train, &data.test}) {
    const std::uint64_t size = images->records.size();
    XXH3_128bits_update(state.get(), &size, sizeof size);
    XXH3_128bits_update(state.get(), images->records.data(), size);
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

DataSet read_cifar10(const fs::path& folder) {
  std::map<int, fs::path> batches;
  std::error_code error;
  fs::directory_iterator files(folder, error);
  if (error) throw DataError(fmt::format("{}: {}", folder.string(), error.message()));
  for (const fs::directory_entry& file : files) {
    const int number = batch_number(file.path().filename().string());
    if (number >= 0) batches[number] = file.path();
  }
  if (batches.empty()) {
    throw DataError(fmt::format("{}: no data_batch_1.bin or the like (CIFAR-10's binary format)",
                                folder.string()));
  }
  DataSet data;
  for (const auto& [number, file] : batches) append_records(file, data.train.records);
  append_records(folder / "test_batch.bin", data.test.records);
  if (data.train.size() == 0 || data.test.size() == 0) {
    throw DataError(fmt::format("{}: {} training and {} test images, expected at least one of each",
                                folder.string(), data.train.size(), data.test.size()));
  }
  data.fingerprint = fingerprint(data);
  return data;
}

}  // namespace spottrain
