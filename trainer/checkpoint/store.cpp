#include "trainer/checkpoint/store.h"

#include <fmt/format.h>

#include <charconv>
#include <initializer_list>

#include "base/files/whole_file.h"
#include "trainer/checkpoint/checksum.h"
#include "trainer/checkpoint/codec.h"
#include "trainer/checkpoint/damage.h"
#include "trainer/checkpoint/folder_storage.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostManifestBytes = 4096;

using Name = std::string (*)(std::int64_t step);

std::optional<std::int64_t> step_of(std::string_view text, Name name) {
  constexpr std::string_view kPrefix = "step-";
  if (!text.starts_with(kPrefix)) return {};
  std::int64_t step = -1;
  std::from_chars(text.data() + kPrefix.size(), text.data() + text.size(), step);
  if (step < 0 || text != name(step)) return {};
  return step;
}

struct Written {
  std::uint64_t bytes = 0;
  std::string xxh3_128;
};

// Writes chunk by chunk. A chunk's checksum has just brought it into the cache, and the disk writes
// it while the next chunk is hashed.
Written write_in_chunks(base::PendingFile& file, std::initializer_list<std::string_view> pieces) {
  constexpr std::size_t kChunk = 1 << 20;
  Xxh3Stream checksum;
  Written written;
  for (std::string_view piece : pieces) {
    written.bytes += piece.size();
    while (!piece.empty()) {
      const std::string_view chunk = piece.substr(0, kChunk);
      checksum.update(chunk);
      file.write(chunk);
      piece.remove_prefix(chunk.size());
    }
  }
  written.xxh3_128 = checksum.digits();
  return written;
}

}  // namespace

std::string checkpoint_name(std::int64_t step) {
  return fmt::format("step-{:010}.safetensors", step);
}
std::string manifest_name(std::int64_t step) { return fmt::format("step-{:010}.json", step); }

std::optional<std::int64_t> step_of_checkpoint(std::string_view name) {
  return step_of(name, checkpoint_name);
}
std::optional<std::int64_t> step_of_manifest(std::string_view name) {
  return step_of(name, manifest_name);
}

std::uint64_t store_checkpoint(const fs::path& folder, const Checkpoint& checkpoint) {
  base::PendingFile data(folder, checkpoint_name(checkpoint.step));
  base::PendingFile manifest(folder, manifest_name(checkpoint.step));
  const Written written =
      write_in_chunks(data, {encode_prefix(checkpoint), value_bytes(checkpoint)});
  manifest.write(manifest_text({.step = checkpoint.step,
                                .bytes = written.bytes,
                                .xxh3_128 = written.xxh3_128,
                                .metric = checkpoint.metric}));
  data.sync();
  manifest.sync();
  // Removes the manifest of a rejected checkpoint of this step, so that it does not apply to the
  // new data.
  fs::remove(folder / manifest_name(checkpoint.step));
  data.publish();
  manifest.publish();
  base::sync_folder(folder);
  return written.bytes;
}

Manifest read_manifest(Storage& storage, std::int64_t step) {
  Manifest manifest = parse_manifest(storage.read(manifest_name(step), kMostManifestBytes));
  if (manifest.step != step) {
    throw DamagedCheckpoint(fmt::format("its manifest is of step {}", manifest.step));
  }
  return manifest;
}

Stored load_checkpoint(Storage& storage, std::int64_t step) {
  const Manifest manifest = read_manifest(storage, step);
  const std::string bytes = storage.read(checkpoint_name(step), manifest.bytes);
  if (bytes.size() != manifest.bytes) {
    throw DamagedCheckpoint(fmt::format("it has {} bytes of {}", bytes.size(), manifest.bytes));
  }
  if (xxh3_128(bytes) != manifest.xxh3_128) throw DamagedCheckpoint("its checksum is wrong");
  Stored stored{manifest, decode(bytes, TensorChecksums::kCoveredByFile)};
  if (stored.checkpoint.step != step) {
    throw DamagedCheckpoint(fmt::format("it is of step {}", stored.checkpoint.step));
  }
  return stored;
}

Stored load_checkpoint(const fs::path& folder, std::int64_t step) {
  FolderStorage storage(folder);
  return load_checkpoint(storage, step);
}

void remove_checkpoint(Storage& storage, std::int64_t step) {
  storage.remove(manifest_name(step));
  storage.remove(checkpoint_name(step));
}

}  // namespace spottrain
