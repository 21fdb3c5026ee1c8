#include "sim/guest/time/calls/warm_calls.h"

#include "sim/guest/time/calls/trapped_calls.h"

namespace sim::guest::calls {
namespace {

std::int64_t reads_up_to(Time next, Time now, Duration cost) {
  return std::max<std::int64_t>(1, (next - now + cost - Duration{1}) / cost);
}

// Lets the time of so many clock reads pass. If an event happens in one of them, the tasks that it
// wakes have their turn before the next read, as they would if the program read the clock.
void skip_reads(TrappedCall& call, std::int64_t amount) {
  SupervisorState& world = call.world;
  const Duration cost = world.options.clock_read_cost;
  const auto at = call.guest.skipping.try_emplace(call.notification().id, amount).first;
  const auto next = world.simulation.next();
  const Time end = call.now() + at->second * cost;
  const bool alone = cost == Duration{0} || !next || *next > end;
  const std::int64_t now_read = alone ? at->second : reads_up_to(*next, call.now(), cost);
  at->second -= now_read;
  world.statistics.clock_reads += static_cast<std::uint64_t>(now_read);
  call.guest.toll.clock_is_lent();
  world.simulation.run_until(call.now() + now_read * cost);
  call.guest.toll.clock_is_back(call.now());
  if (world.find(call.guest.token).get() != &call.guest) return;  // an event released it
  if (at->second > 0) {
    call.guest.received.push_back(call.notification());
    world.calling.insert(call.guest.token);
    return;
  }
  call.guest.skipping.erase(at);
  call.answer(0);
}

}  // namespace

void skip(TrappedCall& call) {
  const auto what = static_cast<Taken>(call.integer(0) >> 24 & 0x7);
  const auto amount = static_cast<std::uint32_t>(call.integer(0)) & kMostSkipped;
  GuestStreams& random = call.guest.random;
  switch (what) {
    case Taken::kReads:
      return skip_reads(call, amount);
    case Taken::kBytes:
      for (std::uint32_t i = 0; i < amount; i += 8) random.bytes.next();
      break;
    case Taken::kImages:
      for (std::uint32_t i = 0; i < 2 * amount; ++i) random.images.next();
      call.guest.toll.count(CallWeight::kImage, amount);
      break;
    case Taken::kPorts:
      for (std::uint32_t i = 0; i < amount; ++i) draw_port(random.ports);
      break;
    case Taken::kNames:
      for (std::uint32_t i = 0; i < amount; ++i) draw_name(random.ports);
      break;
    default:
      return call.fail(EINVAL);
  }
  call.answer(0);
}

void tell_taken(TrappedCall& call) {
  const auto index = static_cast<std::size_t>(call.integer(0) - kClockOfRecords);
  const auto record = call.world.hooks->taken(call.guest.token, index);
  if (!record) return call.fail(EINVAL);
  call.answer_written(call.write(call.argument(1), timespec{static_cast<time_t>(record->what),
                                                            static_cast<long>(record->amount)}));
}

void give_memory_image(TrappedCall& call) {
  const auto program = read_path(call.tid(), call.argument(1));
  const int image =
      program ? call.world.hooks->memory_image(call.guest.token, call.tid(), *program) : -1;
  image < 0 ? call.fail(ENOENT) : call.answer_with(image);
}

}  // namespace sim::guest::calls
