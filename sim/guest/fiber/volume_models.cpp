#include "sim/guest/fiber/volume_models.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sim/cloud/volume_types.h"
#include "sim/guest/disks/disk_image.h"
#include "sim/guest/disks/page_cache.h"

namespace sim::guest {
namespace {

// The identities of the model's two files, for SyncedFile.
constexpr std::uint64_t kFolder = 1, kFile = 2;

std::int64_t round_up(std::int64_t bytes, std::int64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

struct JournalRow {
  std::int64_t below_gib, mebibytes;
};
constexpr std::array<JournalRow, 6> kExt4Journals{
    {{1, 16}, {2, 32}, {16, 64}, {32, 128}, {64, 256}, {128, 512}}};

std::int64_t ext4_journal(int size_gib) {
  for (const JournalRow& row : kExt4Journals)
    if (size_gib < row.below_gib) return row.mebibytes * kMebibyte;
  return 1024 * kMebibyte;
}

}  // namespace

std::int64_t filesystem_bytes(const std::string& filesystem, int size_gib) {
  if (filesystem.empty()) return 0;
  if (filesystem == "ext4") return ext4_journal(size_gib) + 5 * kMebibyte;
  return std::max<std::int64_t>(64, size_gib / 2) * kMebibyte + 2 * kMebibyte;
}

std::int64_t usable_bytes(const std::string& filesystem, int size_gib) {
  constexpr std::int64_t kInodeRatio = 16384, kInodeSize = 256;
  const std::int64_t size = size_gib * (std::int64_t{1} << 30);
  const std::int64_t inodes = filesystem == "ext4" ? size / kInodeRatio * kInodeSize : 0;
  return size - inodes - filesystem_bytes(filesystem, size_gib);
}

std::int64_t new_bytes(const VolumeContent& previous, const VolumeContent& content,
                       std::int64_t stored, std::int64_t data_bytes) {
  if (previous.filesystem != content.filesystem) return stored;
  std::int64_t bytes = content.data && !previous.data ? data_bytes : 0;
  for (const KeptCheckpoint& kept : content.checkpoints) {
    const auto same = [&](const KeptCheckpoint& other) {
      return other.step == kept.step && other.at == kept.at && other.damaged == kept.damaged;
    };
    if (std::ranges::none_of(previous.checkpoints, same)) bytes += round_up(kept.bytes, kPage);
  }
  return std::min(stored, round_up(bytes, kSnapshotBlock));
}

VolumeModel::VolumeModel(const Simulation& simulation, const cloud::Volume& volume,
                         VolumeContent in_content, std::int64_t from_snapshot,
                         std::int64_t data_bytes)
    : id(volume.id),
      content(std::move(in_content)),
      simulation_(&simulation),
      size_gib_(volume.size_gib),
      data_bytes_(data_bytes),
      performance_(cloud::performance(volume)),
      meter_(performance_, ColdBlocks({{0, from_snapshot}})) {}

std::int64_t VolumeModel::file_bytes() const {
  std::int64_t bytes = content.data ? data_bytes_ : 0;
  for (const KeptCheckpoint& kept : content.checkpoints) bytes += round_up(kept.bytes, kPage);
  return bytes;
}

std::int64_t VolumeModel::stored_bytes() const {
  return round_up(filesystem_bytes(content.filesystem, size_gib_) + file_bytes(), kSnapshotBlock);
}

bool VolumeModel::fits(std::int64_t bytes) const {
  return file_bytes() + round_up(bytes, kPage) <= usable_bytes(content.filesystem, size_gib_);
}

bool VolumeModel::put_data() { return content.data = content.data || fits(data_bytes_); }

bool VolumeModel::has_room(const KeptCheckpoint& checkpoint) const {
  return fits(checkpoint.bytes + kPage);  // with its manifest
}

Duration VolumeModel::read(std::int64_t bytes) { return meter_.read(simulation_->now(), bytes); }

Duration VolumeModel::write_file_at(Time begin, std::int64_t bytes) {
  ++written_;
  return meter_.synced(begin,
                       {.inode = kFile, .born = written_, .size = bytes, .modified = written_});
}

Duration VolumeModel::write_file(std::int64_t bytes) {
  return write_file_at(simulation_->now(), bytes);
}

std::string VolumeModel::write_error(Time now) const {
  if (trouble == Trouble::kErrors) return "Input/output error";
  if (trouble == Trouble::kReadOnly) return "Read-only file system";
  return now < full_until ? "No space left on device" : "";
}

void VolumeModel::publish(const KeptCheckpoint& checkpoint) {
  CheckpointPlace::publish(checkpoint);
  ++changes;
}

void VolumeModel::damage_newest(GuestFault::Damage how) {
  auto& kept = content.checkpoints;
  if (kept.empty()) return;
  if (how == GuestFault::Damage::kRemoved)
    kept.pop_back();
  else
    kept.back().damaged = true;
}

Duration VolumeModel::expected_write(std::int64_t bytes) const {
  constexpr int kSyncs = 3;  // of the checkpoint, its manifest and the folder
  return kSyncs * kSyncLatency +
         from_seconds(static_cast<double>(bytes) /
                          static_cast<double>(performance_.bytes_per_second) +
                      1 / performance_.burst_iops);  // the manifest
}

Duration VolumeModel::write_checkpoint(const KeptCheckpoint& checkpoint) {
  checkpoint_cached_ = true;
  // The rename is durable with its folder. A machine that ends in between may have either state.
  const Time begin = simulation_->now();
  Duration takes = write_file_at(begin, checkpoint.bytes);
  takes += write_file_at(begin + takes, kManifestBytes);
  return takes + meter_.synced(begin + takes, {.inode = kFolder, .modified = written_});
}

Duration VolumeModel::read_checkpoints(const std::vector<std::int64_t>& sizes) {
  if (std::exchange(checkpoint_cached_, true)) return {};
  return read(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
}

}  // namespace sim::guest
