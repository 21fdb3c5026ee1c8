// What goes wrong inside of an instance.
#pragma once

#include <string>

#include "sim/kernel/time.h"

namespace sim::guest {

struct GuestFault {
  enum class What {
    kCrash,            // a program ends by a signal that it cannot catch
    kHang,             // it stops, and never goes on
    kDiskFull,         // writes to the data volumes fail with ENOSPC
    kDamage,           // a file is not what was written
    kCodeUnreachable,  // git cannot clone, on all machines
  };
  enum class Damage { kTorn, kFlipped, kRemoved };

  What what;
  std::string program = {};  // of kCrash and kHang: its name
  Duration lasts{};          // of kDiskFull and kCodeUnreachable
  std::string path = {};     // of kDamage: a pattern; the newest that matches
  Damage damage = Damage::kTorn;
  std::int64_t byte = 0;  // where it is torn or its first bit flipped
};

}  // namespace sim::guest
