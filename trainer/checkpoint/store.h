// One checkpoint in a storage: data and manifest, both named by the step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "trainer/checkpoint/checkpoint.h"
#include "trainer/checkpoint/manifest.h"
#include "trainer/checkpoint/storage.h"

namespace spottrain {

// "step-0000000123.safetensors" and "step-0000000123.json".
std::string checkpoint_name(std::int64_t step);
std::string manifest_name(std::int64_t step);
// The step in the name of a data file or manifest; empty for other names.
std::optional<std::int64_t> step_of_checkpoint(std::string_view name);
std::optional<std::int64_t> step_of_manifest(std::string_view name);

// Stores a checkpoint in a folder. Both files are written under temporary names and renamed when
// their content is durable, the manifest last. When it returns, the checkpoint survives a crash of
// the machine. Returns the size of its data in bytes. Throws std::system_error; then there is no
// new manifest, unless the folder's own fsync failed.
std::uint64_t store_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

// Reads a manifest. Throws DamagedCheckpoint if Storage::store did not write it for this step,
// UnknownFormatVersion, and the exceptions of Storage::read.
Manifest read_manifest(Storage& storage, std::int64_t step);

struct Stored {
  Manifest manifest;
  Checkpoint checkpoint;
};
// Reads a checkpoint. Throws the exceptions of read_manifest(), also for the data.
Stored load_checkpoint(Storage& storage, std::int64_t step);
Stored load_checkpoint(const std::filesystem::path& folder, std::int64_t step);

// Removes the manifest first, so that the rest of an interrupted removal is no checkpoint. Throws
// the exceptions of Storage::remove.
void remove_checkpoint(Storage& storage, std::int64_t step);

}  // namespace spottrain
