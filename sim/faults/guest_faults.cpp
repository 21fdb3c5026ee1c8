// Programs, disks and code of an instance that fail it.
#include "sim/faults/kinds.h"

namespace sim::faults {
namespace of_guests {
namespace {

using guest::GuestFault;

void inflict(const Arguments& arguments, const Strike& strike, World& world,
             const GuestFault& fault) {
  if (const cloud::Instance* const instance = struck_instance(arguments, strike, world))
    world.guests.inflict(instance->id, fault);
}

void kill_it(const Arguments& arguments, const Strike& strike, World& world) {
  inflict(arguments, strike, world,
          {.what = GuestFault::What::kCrash, .program = arguments.get<std::string>("program")});
}

void stop_it(const Arguments& arguments, const Strike& strike, World& world) {
  inflict(arguments, strike, world,
          {.what = GuestFault::What::kHang, .program = arguments.get<std::string>("program")});
}

void fill_the_disk(const Arguments& arguments, const Strike& strike, World& world) {
  inflict(arguments, strike, world,
          {.what = GuestFault::What::kDiskFull, .lasts = arguments.get<Duration>("for")});
}

void damage(const Arguments& arguments, const Strike& strike, World& world) {
  using Damage = GuestFault::Damage;
  const auto& how = arguments.get<std::string>("how");
  const cloud::Instance* const instance = struck_instance(arguments, strike, world);
  if (!instance) return;
  // What is on any of its volumes may be what was damaged.
  for (const cloud::VolumeId& volume : world.cloud.attached_to(instance->id))
    world.log.append(world.simulation.now(), "fault.damage", {{"disk", volume.value}});
  inflict(arguments, strike, world,
          {.what = GuestFault::What::kDamage,
           .path = arguments.get<std::string>("path"),
           .damage = how == "torn"      ? Damage::kTorn
                     : how == "flipped" ? Damage::kFlipped
                                        : Damage::kRemoved,
           .byte = arguments.get<std::int64_t>("byte")});
}

void hide_the_code(const Arguments& arguments, const Strike&, World& world) {
  world.guests.inflict(
      {}, {.what = GuestFault::What::kCodeUnreachable, .lasts = arguments.get<Duration>("for")});
}

constexpr Parameter kProgram[] = {
    {"program", ArgumentType::kText, "spottrain", "",
     "the name of its processes (`ps -o comm`); fiber guests have one trainer, whatever its name"},
    kOneInstance,
};
constexpr Parameter kFull[] = {
    {"for", ArgumentType::kDuration, "10m", "", "for so long"},
    kOneInstance,
};
constexpr Parameter kDamage[] = {
    {"path", ArgumentType::kText, "", "",
     "in this folder, the newest file whose name fits: `/data/ckpt/*.safetensors`; in fiber guests "
     "the newest checkpoint on a volume",
     true},
    {"how", ArgumentType::kWord, "torn", "torn flipped removed",
     "cut off, one bit changed, or not there any more"},
    {"byte", ArgumentType::kWhole, "0", "", "where it is cut off, or the bit is"},
    kOneInstance,
};
constexpr Parameter kCode[] = {
    {"for", ArgumentType::kDuration, "10m", "", "for so long"},
};

constexpr Trial kCrashTrials[] = {{Trial::At::kEvent, "trainer.start", ""},
                                  {Trial::At::kEvent, "trainer.checkpoint-begin", ""},
                                  {Trial::At::kEvent, "trainer.checkpoint-durable", ""},
                                  {Trial::At::kEvent, "trainer.step", ""}};

constexpr Trial kFullTrials[] = {{Trial::At::kEvent, "trainer.checkpoint-begin", ""},
                                 {Trial::At::kEvent, "trainer.start", ""}};

constexpr Trial kCodeTrials[] = {{Trial::At::kEvent, "orchestrator.phase fetch-code", ""}};

constexpr Trial kDamageTrials[] = {
    {Trial::At::kEvent, "trainer.checkpoint-durable", "path: any"},
    {Trial::At::kEvent, "instance.notice", "path: any, how: removed"}};

constexpr Kind kKinds[] = {
    {.name = "trainer-crash",
     .does =
         "a program is killed (SIGKILL), as by the kernel when memory runs out: exit status 137",
     .parameters = kProgram,
     .passes = false,  // the job says how often its trainer is started again
     .needs = GuestFault::What::kCrash,
     .strike = kill_it,
     .trials = kCrashTrials},
    {.name = "trainer-hang",
     .does = "a program stops where it is and never goes on (SIGSTOP); only SIGKILL ends it",
     .parameters = kProgram,
     .passes = false,
     .needs = GuestFault::What::kHang,
     .strike = stop_it},
    {.name = "disk-full",
     .does = "writes to the volumes in an instance fail with ENOSPC; fiber guests only",
     .parameters = kFull,
     .passes = false,
     .needs = GuestFault::What::kDiskFull,
     .strike = fill_the_disk,
     .trials = kFullTrials},
    {.name = "damage-file",
     .does = "a file is not what was written",
     .parameters = kDamage,
     .passes = false,
     .needs = GuestFault::What::kDamage,
     .strike = damage,
     .trials = kDamageTrials},
    {.name = "code-unreachable",
     .does = "no instance can clone the scenario's `code`; fiber guests only",
     .parameters = kCode,
     .needs = GuestFault::What::kCodeUnreachable,
     .strike = hide_the_code,
     .trials = kCodeTrials},
};

}  // namespace
}  // namespace of_guests

std::span<const Kind> guest_faults() { return of_guests::kKinds; }

}  // namespace sim::faults
