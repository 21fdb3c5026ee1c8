#include "sim/guest/fiber/trainer_model.h"

#include <array>

namespace sim::guest {

std::string_view name(TierKind kind) {
  static constexpr std::array<std::string_view, 4> kNames{"memory", "volume", "snapshot",
                                                          "object-store"};
  return kNames[static_cast<std::size_t>(kind)];
}

Duration copy_time(const TrainerModel& model, std::int64_t bytes) {
  if (bytes == model.checkpoint_bytes) return model.snapshot_time;
  return from_seconds(seconds(model.snapshot_time) * static_cast<double>(bytes) /
                      static_cast<double>(model.checkpoint_bytes));
}

}  // namespace sim::guest
