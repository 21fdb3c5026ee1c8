// Checkpoints as objects in a bucket.
#pragma once

#include <string>
#include <vector>

#include "client/s3_uri.h"
#include "trainer/bucket/bucket.h"
#include "trainer/checkpoint/manifest.h"
#include "trainer/checkpoint/storage.h"

namespace spottrain {

// All functions throw BucketError, too.
class BucketStorage : public Storage {
 public:
  // Keys are PREFIX/NAME, or NAME under an empty prefix. The bucket is the one in the URI, and must
  // outlive this object.
  BucketStorage(Bucket& bucket, const client::S3Uri& uri);

  std::string name() const override { return name_; }
  std::vector<std::string> names() override;
  std::string read(const std::string& name, std::uint64_t most_bytes) override;
  // Data of more than Bucket::kPartBytes is uploaded in at most 10 000 parts, made from the
  // checkpoint in memory. A failed upload is aborted. An existing, complete checkpoint of this step
  // stays available at all times, with the same bytes or with those of another kind of processor.
  std::uint64_t store(const Checkpoint& checkpoint) override;
  void remove(const std::string& name) override;

 private:
  class Parts;
  enum class There { kNothing, kTheSame, kAnother, kDamaged };

  std::string key_of(const std::string& name) const { return folder_ + name; }
  There what_is_there(const Manifest& manifest);
  void put_data(const std::string& key, Parts& parts);

  Bucket& bucket_;
  const std::string name_;
  const std::string folder_;  // the part of each key before the name
};

}  // namespace spottrain
