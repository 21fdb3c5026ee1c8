// What goes wrong inside of an instance.
#pragma once

#include <string>

#include "sim/kernel/time.h"

namespace sim::guest {

struct GuestFault {
  enum class What {
    kCrash,            // a program ends by a signal that it cannot catch
    kOutOfMemory,      // the kernel kills it, and says so on the console
    kHang,             // it stops, and never goes on
    kBadMemory,        // the numbers that it computes with are no longer numbers
    kDiskFull,         // writes to the data volumes fail with ENOSPC
    kReadOnly,         // … with EROFS, until they are mounted anew
    kDiskErrors,       // … with EIO, and reads, until they are mounted anew
    kPausedIo,         // reads and writes of the data volumes wait
    kDamage,           // a file is not what was written
    kClockSkew,        // its clock is not right
    kSlowRestore,      // the next volumes made of snapshots are slow, on all machines
    kCodeUnreachable,  // git cannot clone, on all machines
    kDamageVolume,     // a volume's first block is zeros (GuestHost::zero_first_block)
    kTornWrite,        // its power is cut while it writes a file (GuestHost::cut_power_at)
  };
  enum class Damage { kTorn, kFlipped, kRemoved };

  What what;
  // Of what goes wrong with one: its name. Empty: the trainer, spottrain or else what has the most
  // memory.
  std::string program = {};
  Duration lasts{};       // of kDiskFull, kPausedIo, kClockSkew and kCodeUnreachable
  std::string path = {};  // of kDamage: a pattern; the newest that matches
  Damage damage = Damage::kTorn;
  std::int64_t byte = 0;   // where it is torn or its first bit flipped
  Duration skew{};         // of kClockSkew: how much it is ahead; negative: behind
  double factor = 1;       // of kSlowRestore: how much longer first reads take
  std::int64_t times = 1;  // of kSlowRestore: volumes
};

}  // namespace sim::guest
