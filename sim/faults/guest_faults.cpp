// Faults of an instance's programs, disks and code.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/faults/kinds.h"
#include "sim/faults/take_back.h"

namespace sim::faults {
namespace of_guests {
namespace {

using guest::GuestFault;

constexpr std::string_view kAny = "any";

// The struck program: the named one, or the trainer.
std::string program_of(const Arguments& arguments, const Targets& targets) {
  const auto* name = arguments.find<std::string>("program");
  return name ? *name : targets.job.trainer;
}

void inflict(const Arguments& arguments, const Strike& strike, Targets& targets,
             const GuestFault& fault) {
  if (const cloud::Instance* const instance = struck_instance(arguments, strike, targets))
    targets.guests.inflict(instance->id, fault);
}

template <GuestFault::What what>
void strike_program(const Arguments& arguments, const Strike& strike, Targets& targets) {
  inflict(arguments, strike, targets, {.what = what, .program = program_of(arguments, targets)});
}

template <GuestFault::What what>
void strike_disks(const Arguments& arguments, const Strike& strike, Targets& targets) {
  inflict(arguments, strike, targets, {.what = what});
}

template <GuestFault::What what>
void strike_disks_for(const Arguments& arguments, const Strike& strike, Targets& targets) {
  inflict(arguments, strike, targets, {.what = what, .lasts = arguments.get<Duration>("for")});
}

void pause_io(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const auto* const volume = arguments.find<std::string>("volume");
  inflict(arguments, strike, targets,
          {.what = GuestFault::What::kPausedIo,
           .volume = volume != nullptr ? *volume : "",
           .lasts = arguments.get<Duration>("for")});
}

void damage(const Arguments& arguments, const Strike& strike, Targets& targets) {
  using Damage = GuestFault::Damage;
  const auto& how = arguments.get<std::string>("how");
  const cloud::Instance* const instance = struck_instance(arguments, strike, targets);
  if (!instance) return;
  // Any of the instance's volumes may be damaged.
  for (const cloud::VolumeId& volume : targets.cloud.attached_to(instance->id))
    targets.log.append(events::FaultDamage{.time = targets.simulation.now(), .disk = volume.value});
  const auto& path = arguments.get<std::string>("path");
  inflict(arguments, strike, targets,
          {.what = GuestFault::What::kDamage,
           .path = path == kAny ? targets.job.checkpoint : path,
           .damage = how == "torn"      ? Damage::kTorn
                     : how == "flipped" ? Damage::kFlipped
                                        : Damage::kRemoved,
           .byte = arguments.get<std::int64_t>("byte")});
}

void set_clock(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const auto& by = arguments.get<Duration>("by");
  inflict(arguments, strike, targets,
          {.what = GuestFault::What::kClockSkew,
           .lasts = arguments.get<Duration>("for"),
           .skew = arguments.get<std::string>("direction") == "ahead" ? by : -by});
}

void slow_restore(const Arguments& arguments, const Strike&, Targets& targets) {
  targets.guests.inflict({}, {.what = GuestFault::What::kSlowRestore,
                              .factor = arguments.get<double>("factor"),
                              .times = arguments.get<std::int64_t>("times")});
}

// The ending that later checkpoints have as well, also while they are written under another name:
// ".safetensors*". Empty if no path is known or it has no ending.
std::string kind_of(const std::filesystem::path& checkpoint) {
  const std::string extension = checkpoint.extension();
  return extension.empty() ? "" : extension + "*";
}

void cut(const cloud::InstanceId& id, const Arguments& arguments, const Strike& strike,
         Targets& targets) {
  const cloud::Instance& instance = targets.cloud.instance(id);
  if (instance.lifecycle != cloud::Lifecycle::kSpot) return cut_power(targets.cloud, instance);
  std::vector<cloud::InstanceId> taken;
  if (!instance.shutting_down_at) taken.push_back(id);
  take_back(pool_of(instance), taken, arguments, strike, targets);
}

void tear(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const cloud::Instance* const instance = struck_instance(arguments, strike, targets);
  if (!instance) return;
  std::string path = arguments.get<std::string>("path");
  if (path == kAny) path = targets.job.files;
  if (path.empty() && !targets.job.folder.empty())
    path = targets.job.folder + "/*" + kind_of(targets.job.checkpoint);
  if (path.empty()) return;
  const bool* const flushed = arguments.find<bool>("flushed");
  targets.guests.cut_power_at(instance->id,
                              {.path = path,
                               .bytes = arguments.get<std::int64_t>("bytes"),
                               .again = arguments.get<bool>("again"),
                               .flushed = !flushed || *flushed,
                               .cut = [&targets, id = instance->id, arguments, strike] {
                                 cut(id, arguments, strike, targets);
                               }});
}

void hide_the_code(const Arguments& arguments, const Strike&, Targets& targets) {
  targets.guests.inflict(
      {}, {.what = GuestFault::What::kCodeUnreachable, .lasts = arguments.get<Duration>("for")});
}

constexpr Parameter kProgram[] = {
    {"program", ArgumentType::kText, "", "",
     "name of the program's processes, as `ps -o comm` prints it; by default the scenario's "
     "`guest.trainer`. Fiber guests ignore it"},
    kOneInstance,
};
constexpr Parameter kFull[] = {
    {"for", ArgumentType::kDuration, "10m", "", "duration of the fault"},
    kOneInstance,
};
constexpr Parameter kPaused[] = {
    {"for", ArgumentType::kDuration, "1m", "", "duration of the fault"},
    {"volume", ArgumentType::kText, "", "",
     "ID of the volume; by default all data volumes of the instance"},
    kOneInstance,
};
constexpr Parameter kDisks[] = {kOneInstance};
constexpr Parameter kClock[] = {
    {"by", ArgumentType::kDuration, "10m", "", "difference from the right time"},
    {"direction", ArgumentType::kWord, "ahead", "ahead behind",
     "whether the clock is ahead or "
     "behind"},
    {"for", ArgumentType::kDuration, "1h", "", "time until the clock is right again"},
    kOneInstance,
};
constexpr Parameter kRestore[] = {
    {"factor", ArgumentType::kNumber, "10", "", "factor of the reads' time", false, 1, 100'000},
    {"times", ArgumentType::kWhole, "1", "", "number of volumes made after the strike"},
};
constexpr Parameter kDamage[] = {
    {"path", ArgumentType::kText, "", "",
     "the newest file that matches this path or pattern, such as `/data/ckpt/*.safetensors`; "
     "`any`: the newest reported checkpoint, in fiber guests on a volume",
     true},
    {"how", ArgumentType::kWord, "torn", "torn flipped removed",
     "the file is cut off, one bit is changed, or it is deleted"},
    {"byte", ArgumentType::kWhole, "0", "", "position at which the file is cut off or changed"},
    kOneInstance,
};
constexpr Parameter kTorn[] = {
    {"path", ArgumentType::kText, "any", "",
     "the file's path while it is written, or a pattern; `any`: one of "
     "`progress.checkpoint_files`, or else a file in the trainer's checkpoint folder with a name "
     "like that of the last reported checkpoint"},
    {"bytes", ArgumentType::kWhole, "1", "", "size of the file at which the power is cut", false,
     1},
    {"again", ArgumentType::kFlag, "false", "",
     "`true`: waits until a file that existed at the strike is written again"},
    {"flushed", ArgumentType::kFlag, "", "", "`false`: the disk has only data that had reached it"},
    {"reason", ArgumentType::kWord, "", "no-capacity by-price",
     "reason that the spot request's status code states"},
    kVolumes,
    kCapacityAfter,
    kOneInstance,
};
constexpr Parameter kCode[] = {
    {"for", ArgumentType::kDuration, "10m", "", "duration of the fault"},
};

// A trainer whose log is read never reports the beginning of a save, nor a durable checkpoint.
constexpr Trial kCrashTrials[] = {{Trial::At::kEvent, "trainer.start", ""},
                                  {Trial::At::kEvent, "trainer.checkpoint-begin", ""},
                                  {Trial::At::kEvent, "trainer.checkpoint-durable", ""},
                                  {Trial::At::kEvent, "trainer.checkpoint-written", ""},
                                  {Trial::At::kEvent, "trainer.step", ""}};

constexpr Trial kHangTrials[] = {{Trial::At::kEvent, "trainer.start", ""},
                                 {Trial::At::kEvent, "trainer.checkpoint-begin", ""},
                                 {Trial::At::kEvent, "trainer.checkpoint-written", ""},
                                 {Trial::At::kEvent, "instance.notice", ""}};

constexpr Trial kMemoryTrials[] = {{Trial::At::kEvent, "trainer.start", ""},
                                   {Trial::At::kEvent, "trainer.checkpoint-begin", ""},
                                   {Trial::At::kEvent, "trainer.checkpoint-durable", ""},
                                   {Trial::At::kEvent, "trainer.checkpoint-written", ""}};

constexpr Trial kDiskTrials[] = {{Trial::At::kEvent, "orchestrator.phase fetch-code", ""},
                                 {Trial::At::kEvent, "trainer.start", ""},
                                 {Trial::At::kEvent, "trainer.checkpoint-begin", ""},
                                 {Trial::At::kEvent, "trainer.checkpoint-written", ""},
                                 {Trial::At::kEvent, "instance.notice", ""}};

// The fault delays the next save, not one that has begun.
constexpr Trial kPausedTrials[] = {{Trial::At::kEvent, "orchestrator.phase mount", ""},
                                   {Trial::At::kEvent, "trainer.start", ""},
                                   {Trial::At::kEvent, "trainer.step", "for: 5m"},
                                   {Trial::At::kEvent, "trainer.checkpoint-written", ""},
                                   {Trial::At::kEvent, "instance.notice", "for: 5m"}};

constexpr Trial kClockTrials[] = {
    {Trial::At::kEvent, "instance.boot", "for: 10h"},
    {Trial::At::kEvent, "instance.boot", "direction: behind, for: 10h"},
    {Trial::At::kEvent, "trainer.start", ""},
    {Trial::At::kEvent, "instance.notice", ""},
    {Trial::At::kEvent, "instance.notice", "direction: behind"}};

constexpr Trial kRestoreTrials[] = {{Trial::At::kCall, "CreateVolume", ""}};

constexpr Trial kFullTrials[] = {{Trial::At::kEvent, "trainer.checkpoint-begin", ""},
                                 {Trial::At::kEvent, "trainer.checkpoint-written", ""},
                                 {Trial::At::kEvent, "trainer.start", ""}};

// The clone begins after the phase's line. After boot, all steps before the clone are still to
// come.
constexpr Trial kCodeTrials[] = {{Trial::At::kEvent, "instance.boot", ""},
                                 {Trial::At::kEvent, "orchestrator.phase fetch-code", ""}};

constexpr Trial kTornTrials[] = {{Trial::At::kEvent, "trainer.start", ""},
                                 {Trial::At::kEvent, "trainer.start", "bytes: 64"},
                                 {Trial::At::kEvent, "trainer.checkpoint-durable", ""},
                                 {Trial::At::kEvent, "trainer.checkpoint-durable", "bytes: 64"},
                                 {Trial::At::kEvent, "trainer.checkpoint-written", ""},
                                 {Trial::At::kEvent, "trainer.checkpoint-written", "bytes: 64"},
                                 {Trial::At::kEvent, "trainer.checkpoint-durable", "again: true"},
                                 {Trial::At::kEvent, "trainer.checkpoint-written", "again: true"}};

constexpr Trial kDamageTrials[] = {
    {Trial::At::kEvent, "trainer.checkpoint-durable", "path: any"},
    {Trial::At::kEvent, "trainer.checkpoint-written", "path: any"},
    {Trial::At::kEvent, "instance.notice", "path: any, how: removed"}};

// `passes` assumes that the trainer is not restarted, unless the job says how often.
constexpr Kind kKinds[] = {
    {.name = "trainer-crash",
     .does = "a program is killed by SIGKILL (exit status 137)",
     .remedy = "checks the trainer's exit status, restarts it from the newest checkpoint, and "
               "reports success only after status 0",
     .parameters = kProgram,
     .passes = false,
     .needs = GuestFault::What::kCrash,
     .strike = strike_program<GuestFault::What::kCrash>,
     .trials = kCrashTrials},
    {.name = "out-of-memory",
     .does = "the kernel kills a program by SIGKILL because memory is exhausted, and reports this "
             "on the console",
     .remedy = "checks the trainer's exit status (137 after the kernel killed it), and restarts it "
               "or fails visibly",
     .parameters = kProgram,
     .passes = false,
     .needs = GuestFault::What::kOutOfMemory,
     .strike = strike_program<GuestFault::What::kOutOfMemory>,
     .trials = kMemoryTrials},
    {.name = "trainer-hang",
     .does = "a program hangs: SIGSTOP stops it, and only SIGKILL ends it",
     .remedy = "watches the trainer's progress, and kills and restarts the trainer if it makes "
               "none for long",
     .parameters = kProgram,
     .passes = false,
     .needs = GuestFault::What::kHang,
     .strike = strike_program<GuestFault::What::kHang>,
     .trials = kHangTrials},
    {.name = "bad-memory",
     .does = "bits flip in a program's memory, in values that look like floating-point numbers, so "
             "that the loss of a training becomes NaN",
     .remedy = "checks the loss for NaN before it saves, and returns to the last good checkpoint",
     .parameters = kProgram,
     .passes = false,
     .needs = GuestFault::What::kBadMemory,
     .strike = strike_program<GuestFault::What::kBadMemory>,
     .trials = kMemoryTrials},
    {.name = "disk-full",
     .does = "writes to an instance's volumes fail with ENOSPC",
     .remedy = "writes a checkpoint under a temporary name, checks the write, and deletes older "
               "checkpoints only afterwards",
     .parameters = kFull,
     .passes = false,
     .needs = GuestFault::What::kDiskFull,
     .strike = strike_disks_for<GuestFault::What::kDiskFull>,
     .trials = kFullTrials},
    {.name = "read-only",
     .does = "the filesystems of an instance's volumes become read-only (EROFS) until they are "
             "mounted again",
     .remedy = "checks each write, and keeps the last whole checkpoint when one fails",
     .parameters = kDisks,
     .passes = false,
     .needs = GuestFault::What::kReadOnly,
     .strike = strike_disks<GuestFault::What::kReadOnly>,
     .trials = kDiskTrials},
    {.name = "disk-errors",
     .does = "reads and writes of an instance's volumes fail with EIO until they are mounted again",
     .remedy = "checks each write and sync, and never reports a checkpoint whose write failed",
     .parameters = kDisks,
     .passes = false,
     .needs = GuestFault::What::kDiskErrors,
     .strike = strike_disks<GuestFault::What::kDiskErrors>,
     .trials = kDiskTrials},
    // AWS FIS has this fault as aws:ebs:pause-volume-io.
    {.name = "pause-volume-io",
     .does = "reads and writes of an instance's volumes wait until the fault ends",
     .remedy = "limits the time of a save, so that a notice is still answered",
     .parameters = kPaused,
     .lasts = true,
     .needs = GuestFault::What::kPausedIo,
     .strike = pause_io,
     .trials = kPausedTrials},
    {.name = "damage-file",
     .does = "a file is damaged",
     .remedy =
         "verifies a checkpoint's checksum before it loads the checkpoint, and otherwise loads "
         "the previous one",
     .parameters = kDamage,
     .needs = GuestFault::What::kDamage,
     .strike = damage,
     .trials = kDamageTrials,
     .elsewhere = "path: any"},
    {.name = "slow-restore",
     .does = "first reads of a volume that is made from a snapshot take longer",
     .remedy = "waits for the first reads of a restored volume without a fixed time-out",
     .parameters = kRestore,
     .lasts = true,
     .needs = GuestFault::What::kSlowRestore,
     .strike = slow_restore,
     .trials = kRestoreTrials},
    {.name = "clock-skew",
     .does = "an instance's clock is wrong",
     .remedy = "orders checkpoints by step and not by time, and measures durations with a "
               "monotonic clock",
     .parameters = kClock,
     .needs = GuestFault::What::kClockSkew,
     .strike = set_clock,
     .trials = kClockTrials},
    {.name = "torn-write",
     .does = "the power of an instance is cut while it writes a file. The disk then has the "
             "written part of the file, and all earlier writes",
     .remedy =
         "writes a checkpoint under a temporary name, syncs it, and renames it when it is whole",
     .parameters = kTorn,
     .needs = GuestFault::What::kTornWrite,
     .strike = tear,
     .trials = kTornTrials},
    {.name = "code-unreachable",
     .does = "instances cannot clone the scenario's `code`",
     .remedy = "tries the clone again with a pause, or keeps the code in its image",
     .parameters = kCode,
     .needs = GuestFault::What::kCodeUnreachable,
     .strike = hide_the_code,
     .trials = kCodeTrials},
};

}  // namespace
}  // namespace of_guests

std::span<const Kind> guest_faults() { return of_guests::kKinds; }

}  // namespace sim::faults
