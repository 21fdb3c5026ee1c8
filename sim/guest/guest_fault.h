// The faults inside of an instance.
#pragma once

#include <string>

#include "sim/kernel/time.h"

namespace sim::guest {

struct GuestFault {
  enum class What {
    kCrash,            // a program ends by a signal that it cannot catch
    kOutOfMemory,      // the kernel kills the program and reports it on the console
    kHang,             // the program stops forever
    kBadMemory,        // numbers in the program's memory become NaN
    kDiskFull,         // writes to the data volumes fail with ENOSPC
    kReadOnly,         // writes fail with EROFS, until the volumes are mounted again
    kDiskErrors,       // reads and writes fail with EIO, until the volumes are mounted again
    kPausedIo,         // reads and writes of the data volumes wait
    kDamage,           // a file differs from what was written
    kClockSkew,        // the instance's clock is wrong
    kSlowRestore,      // first reads of the next restored volumes are slow, on all machines
    kCodeUnreachable,  // git cannot clone, on all machines
    kDamageVolume,     // a volume's first block becomes zero (GuestHost::zero_first_block)
    kTornWrite,        // a power cut while a file is written (GuestHost::cut_power_at)
    kReboot,           // the operating system starts again (cloud::Host::reboot)
  };
  enum class Damage { kTorn, kFlipped, kRemoved };

  What what;
  // For faults of a program: its name. Empty: the trainer, which is spottrain or else the program
  // with the most memory.
  std::string program = {};
  std::string volume = {};  // of kPausedIo: the ID of a volume; empty: all data volumes
  Duration lasts{};         // of kDiskFull, kPausedIo, kClockSkew and kCodeUnreachable
  std::string path = {};    // of kDamage: a pattern; the newest match is damaged
  Damage damage = Damage::kTorn;
  std::int64_t byte = 0;   // where the file is torn, or the byte whose first bit is flipped
  Duration skew{};         // of kClockSkew: by how much the clock is ahead; negative: behind
  double factor = 1;       // of kSlowRestore: multiplies the time of first reads
  std::int64_t times = 1;  // of kSlowRestore: number of volumes
};

}  // namespace sim::guest
