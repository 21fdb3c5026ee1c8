// How long a volume's transfers take by its throughput, its IOPS and its credits. Pure: no clock of
// its own. Sources: EBS user guide, "Amazon EBS I/O characteristics and monitoring" (what counts as
// an I/O), "General Purpose SSD volumes" (burst duration), "Initialize Amazon EBS volumes".
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/cloud/volume_types.h"
#include "sim/kernel/time.h"

namespace sim::guest {

inline constexpr std::int64_t kMebibyte = 1024 * 1024;
// A volume made from a snapshot fetches each block when it is first read.
inline constexpr std::int64_t kFirstReadBytesPerSecond = 20 * kMebibyte;

struct Transfer {
  std::int64_t bytes = 0;
  std::int64_t ios = 0;         // of at most VolumePerformance::io_bytes
  std::int64_t first_read = 0;  // of blocks fetched from a snapshot
};

class VolumeSpeed {
 public:
  VolumeSpeed() = default;
  explicit VolumeSpeed(const cloud::VolumePerformance& performance)
      : performance_(performance), credits_(performance.credits) {}

  // The time from now until the transfer ends. A volume has one queue, so a transfer begins when
  // all earlier ones have ended. It runs at the volume's throughput and at burst IOPS while there
  // are credits, then at the baseline IOPS.
  Duration transfer(Time now, const Transfer& transfer);
  // Gives the volume another speed from now on. It keeps its credits, up to the new maximum.
  void change(Time now, const cloud::VolumePerformance& performance);
  // No transfer begins before then. Transfers that have begun continue.
  void pause(Time until) { paused_until_ = std::max(paused_until_, until); }
  Time paused_until() const { return paused_until_; }
  // The number of I/Os of consecutive bytes.
  std::int64_t ios(std::int64_t bytes) const {
    return (bytes + performance_.io_bytes - 1) / performance_.io_bytes;
  }
  std::int64_t io_bytes() const { return performance_.io_bytes; }
  void slow_first_reads(double factor) {
    first_read_speed_ =
        std::max(std::int64_t{1},
                 static_cast<std::int64_t>(static_cast<double>(kFirstReadBytesPerSecond) / factor));
  }
  // The credits left, and those earned since.
  double credits(Time now) const;

 private:
  double serve(const Transfer& transfer);

  cloud::VolumePerformance performance_;
  std::int64_t first_read_speed_ = kFirstReadBytesPerSecond;
  double credits_ = 0;  // when it is free
  Time free_at_{}, paused_until_{};
};

}  // namespace sim::guest
