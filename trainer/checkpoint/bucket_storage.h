// Checkpoints as objects in a bucket.
#pragma once

#include <string>
#include <vector>

#include "client/s3_uri.h"
#include "trainer/bucket/bucket.h"
#include "trainer/checkpoint/manifest.h"
#include "trainer/checkpoint/storage.h"

namespace spottrain {

// All throw BucketError, too.
class BucketStorage : public Storage {
 public:
  // Keys are PREFIX/NAME, or NAME under an empty prefix. The bucket is the URI's, and outlives
  // this.
  BucketStorage(Bucket& bucket, const client::S3Uri& uri);

  std::string name() const override { return name_; }
  std::vector<std::string> names() override;
  std::string read(const std::string& name, std::uint64_t most_bytes) override;
  // Data of more than Bucket::kPartBytes goes in parts, which are made of the checkpoint in memory,
  // 10 000 at most; an upload that fails is aborted. A step that is there, and whole, stays there
  // all the time, be it of the same bytes or, by another kind of processor, of others.
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
  const std::string folder_;  // before each name in a key
};

}  // namespace spottrain
