#include "trainer/checkpoint/bucket_place.h"

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
namespace {

// The bytes of a data file, part by part.
class Parts {
 public:
  explicit Parts(const Checkpoint& checkpoint)
      : prefix_(encode_prefix(checkpoint)),
        pieces_{prefix_, value_bytes(checkpoint)},
        bytes_(pieces_[0].size() + pieces_[1].size()) {}

  std::uint64_t bytes() const { return bytes_; }
  std::string xxh3_128() const { return checksum_.digits(); }  // of those that were taken

  // The next Bucket::kPartBytes, or what is left; empty at the end.
  std::string take() {
    std::string part;
    part.reserve(std::min<std::uint64_t>(bytes_, Bucket::kPartBytes));
    for (std::string_view& piece : pieces_) {
      const std::string_view taken = piece.substr(0, Bucket::kPartBytes - part.size());
      part += taken;
      piece.remove_prefix(taken.size());
    }
    checksum_.update(part);
    return part;
  }

 private:
  const std::string prefix_;
  std::array<std::string_view, 2> pieces_;
  const std::uint64_t bytes_;
  Xxh3Stream checksum_;
};

std::vector<Bucket::Part> upload_parts(Bucket& bucket, const std::string& key,
                                       const std::string& upload, Parts& parts) {
  std::vector<Bucket::Part> uploaded;
  for (std::string part = parts.take(); !part.empty(); part = parts.take()) {
    const int number = static_cast<int>(uploaded.size()) + 1;
    uploaded.push_back(bucket.put_part(key, upload, number, std::move(part)));
  }
  return uploaded;
}

// An error of its own is not told: what made the upload fail is.
void abort_upload(Bucket& bucket, const std::string& key, const std::string& upload) {
  try {
    bucket.abort_upload(key, upload);
  } catch (const BucketError&) {
  }
}

}  // namespace

BucketPlace::BucketPlace(Bucket& bucket, const client::S3Uri& uri)
    : bucket_(bucket),
      name_("s3://" + uri.bucket + (uri.prefix.empty() ? "" : '/' + uri.prefix)),
      folder_(uri.prefix.empty() ? "" : uri.prefix + '/') {}

std::vector<std::string> BucketPlace::names() {
  std::vector<std::string> names;
  for (const std::string& key : bucket_.keys(folder_)) names.push_back(key.substr(folder_.size()));
  return names;
}

std::string BucketPlace::read(const std::string& name, std::uint64_t most_bytes) {
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

std::uint64_t BucketPlace::store(const Checkpoint& checkpoint) {
  Parts parts(checkpoint);
  const std::string data = key_of(checkpoint_name(checkpoint.step));
  const std::string manifest = key_of(manifest_name(checkpoint.step));
  // A rejected one of this step may be there; its manifest must not speak for the new data.
  if (parts.bytes() <= Bucket::kPartBytes) {
    bucket_.remove(manifest);
    bucket_.put(data, parts.take());
  } else {
    const std::string upload = bucket_.begin_upload(data);
    try {
      const auto uploaded = upload_parts(bucket_, data, upload, parts);
      bucket_.remove(manifest);
      bucket_.complete_upload(data, upload, uploaded);
    } catch (const BucketError&) {
      abort_upload(bucket_, data, upload);
      throw;
    }
  }
  bucket_.put(manifest, manifest_text({.step = checkpoint.step,
                                       .bytes = parts.bytes(),
                                       .xxh3_128 = parts.xxh3_128(),
                                       .metric = checkpoint.metric}));
  return parts.bytes();
}

void BucketPlace::remove(const std::string& name) { bucket_.remove(key_of(name)); }

}  // namespace spottrain
