// The blocks of a restored volume that EBS has not fetched from the snapshot yet. EBS fetches each
// block at its first read (EBS user guide, "Initialize Amazon EBS volumes"). DiskMeter charges time
// for it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/guest/disks/disk_image.h"

namespace sim::guest {

class ColdBlocks {
 public:
  ColdBlocks() = default;
  // `stored`: the bytes that the snapshot stores.
  explicit ColdBlocks(const std::vector<ByteRange>& stored);

  bool empty() const { return left_ == 0; }
  // Records a read of these bytes. Returns how many bytes EBS fetches for it, in whole blocks.
  std::int64_t read(const ByteRange& bytes);
  // The same for a read at an unknown place: the first blocks that are not fetched yet count.
  std::int64_t read_any(std::int64_t bytes);

 private:
  std::int64_t fetch(std::size_t block);

  std::vector<bool> cold_;
  std::size_t left_ = 0;
};

}  // namespace sim::guest
