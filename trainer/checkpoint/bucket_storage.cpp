#include "trainer/checkpoint/bucket_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "trainer/checkpoint/checksum.h"
#include "trainer/checkpoint/codec.h"
#include "trainer/checkpoint/damage.h"
#include "trainer/checkpoint/manifest.h"
#include "trainer/checkpoint/store.h"

namespace spottrain {

// The bytes of a data file, part by part.
class BucketStorage::Parts {
 public:
  explicit Parts(const Checkpoint& checkpoint)
      : prefix_(encode_prefix(checkpoint)),
        pieces_{prefix_, value_bytes(checkpoint)},
        bytes_(pieces_[0].size() + pieces_[1].size()),
        part_bytes_(std::max<std::uint64_t>(Bucket::kPartBytes, bytes_ / kMostParts + 1)) {}

  std::uint64_t bytes() const { return bytes_; }
  bool is_one_part() const { return bytes_ <= part_bytes_; }
  std::string xxh3_128() const {  // of the parts that were not taken
    Xxh3Stream checksum;
    for (const std::string_view piece : pieces_) checksum.update(piece);
    return checksum.digits();
  }

  // Takes the next part, or the rest. Empty at the end.
  std::string take() {
    std::string part;
    part.reserve(std::min<std::uint64_t>(bytes_, part_bytes_));
    for (std::string_view& piece : pieces_) {
      const std::string_view taken = piece.substr(0, part_bytes_ - part.size());
      part += taken;
      piece.remove_prefix(taken.size());
    }
    return part;
  }

 private:
  static constexpr std::uint64_t kMostParts = 9'999;  // Amazon S3 User Guide, "multipart limits"

  const std::string prefix_;
  std::array<std::string_view, 2> pieces_;
  const std::uint64_t bytes_, part_bytes_;
};

namespace {

template <class Parts>
std::vector<Bucket::Part> upload_parts(Bucket& bucket, const std::string& key,
                                       const std::string& upload, Parts& parts) {
  std::vector<Bucket::Part> uploaded;
  for (std::string part = parts.take(); !part.empty(); part = parts.take()) {
    const int number = static_cast<int>(uploaded.size()) + 1;
    uploaded.push_back(bucket.put_part(key, upload, number, std::move(part)));
  }
  return uploaded;
}

// Aborts an upload. An error of the abort is not reported, because the caller reports why the
// upload failed.
void abort_upload(Bucket& bucket, const std::string& key, const std::string& upload) {
  try {
    bucket.abort_upload(key, upload);
  } catch (const BucketError&) {
  }
}

}  // namespace

BucketStorage::BucketStorage(Bucket& bucket, const client::S3Uri& uri)
    : bucket_(bucket),
      name_("s3://" + uri.bucket + (uri.prefix.empty() ? "" : '/' + uri.prefix)),
      folder_(uri.prefix.empty() ? "" : uri.prefix + '/') {}

std::vector<std::string> BucketStorage::names() {
  std::vector<std::string> names;
  for (const std::string& key : bucket_.keys(folder_ + "step-"))
    names.push_back(key.substr(folder_.size()));
  return names;
}

std::string BucketStorage::read(const std::string& name, std::uint64_t most_bytes) {
  std::optional<Bucket::Object> object;
  try {
    object = bucket_.get(key_of(name), most_bytes);
  } catch (const ObjectChanged& error) {
    throw DamagedCheckpoint(error.what());
  }
  if (!object) throw DamagedCheckpoint("there is no object " + path_of(name));
  if (object->size > most_bytes)
    throw DamagedCheckpoint(fmt::format("{} has {} bytes, expected {} at most", path_of(name),
                                        object->size, most_bytes));
  return std::move(object->bytes);
}

BucketStorage::There BucketStorage::what_is_there(const Manifest& manifest) {
  try {
    const auto found = bucket_.get(key_of(manifest_name(manifest.step)), UINT64_MAX);
    if (!found) return There::kNothing;
    if (parse_manifest(found->bytes) == manifest) return There::kTheSame;
    load_checkpoint(*this, manifest.step);
    return There::kAnother;
  } catch (const DamagedCheckpoint&) {
    return There::kDamaged;
  } catch (const ObjectChanged&) {
    return There::kDamaged;
  }
}

void BucketStorage::put_data(const std::string& key, Parts& parts) {
  if (parts.is_one_part()) return bucket_.put(key, parts.take());
  const std::string upload = bucket_.begin_upload(key);
  try {
    bucket_.complete_upload(key, upload, upload_parts(bucket_, key, upload, parts));
  } catch (const BucketError&) {
    abort_upload(bucket_, key, upload);
    throw;
  }
}

// The replaced process may have saved and reported this step a moment ago. So an existing manifest
// is removed only if its checkpoint is damaged.
std::uint64_t BucketStorage::store(const Checkpoint& checkpoint) {
  Parts parts(checkpoint);
  const Manifest manifest{.step = checkpoint.step,
                          .bytes = parts.bytes(),
                          .xxh3_128 = parts.xxh3_128(),
                          .metric = checkpoint.metric};
  const There there = what_is_there(manifest);
  if (there == There::kAnother) return manifest.bytes;
  if (there == There::kDamaged) remove(manifest_name(checkpoint.step));
  put_data(key_of(checkpoint_name(checkpoint.step)), parts);
  if (there != There::kTheSame)
    bucket_.put(key_of(manifest_name(checkpoint.step)), manifest_text(manifest));
  return manifest.bytes;
}

void BucketStorage::remove(const std::string& name) { bucket_.remove(key_of(name)); }

}  // namespace spottrain
