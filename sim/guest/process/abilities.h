// The faults of an instance that process guests support, by level.
#pragma once

#include "sim/guest/guest_fault.h"
#include "sim/guest/sandbox/level.h"

namespace sim::guest {

constexpr bool process_guests_can(GuestFault::What what, Level level) {
  using What = GuestFault::What;
  switch (what) {
    case What::kCrash:
    case What::kOutOfMemory:
    case What::kHang:
    case What::kBadMemory:
    case What::kClockSkew:
    case What::kSlowRestore:
    case What::kCodeUnreachable:
    case What::kTornWrite:
    case What::kReboot:
      return true;
    case What::kDamage:  // at kPlain a guest's files are the host's own
      return level != Level::kPlain;
    case What::kDiskFull:  // at other levels volumes are folders
    case What::kReadOnly:
    case What::kDiskErrors:
    case What::kPausedIo:
    case What::kDamageVolume:
      return level == Level::kRoot;
  }
  return false;
}

}  // namespace sim::guest
