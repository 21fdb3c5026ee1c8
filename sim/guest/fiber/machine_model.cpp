#include "sim/guest/fiber/machine_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "base/time/duration.h"
#include "sim/cloud/host.h"
#include "sim/kernel/check.h"

namespace sim::guest {
namespace {

// The bytes that blkid(8) reads of a device; mkfs then finds these pages in memory. Measured.
constexpr std::int64_t kProbeReads = kMebibyte;
// The time from the start of a git that asks the server to its end. Measured in process guests,
// whose network takes no time: it consists of git's clock reads.
constexpr Duration kGitTransfer = std::chrono::microseconds{1'700};
constexpr int kGitFailed = 128, kNoSpace = 1;

}  // namespace

MachineModel::MachineModel(Surroundings surroundings, std::string name, std::string instance_type,
                           Time launched)
    : world_(std::move(surroundings)),
      name_(std::move(name)),
      instance_type_(std::move(instance_type)),
      launched_(launched),
      memory_(world_.trainer) {}

void MachineModel::plug(const cloud::VolumeId& id, const std::string& device, VolumeModel& volume) {
  volume.plugged();
  plugs_[id] = {cloud::guest_device(device).value_or(device), &volume, ""};
}

void MachineModel::unplug(const cloud::VolumeId& id) { plugs_.erase(id); }

bool MachineModel::mounted(const cloud::VolumeId& id) const {
  const auto found = plugs_.find(id);
  return found != plugs_.end() && !found->second.mount_point.empty();
}

void MachineModel::ask_to_stop() {
  program_->ask_to_stop();
  if (trainer_) trainer_->signal(SIGTERM);
}

void MachineModel::inflict(const GuestFault& fault) {
  switch (fault.what) {
    case GuestFault::What::kCrash:
    case GuestFault::What::kOutOfMemory:
      if (trainer_) trainer_->signal(SIGKILL);
      return;
    case GuestFault::What::kBadMemory:
      if (trainer_) trainer_->lose_numbers();
      return;
    case GuestFault::What::kHang:
      if (trainer_) trainer_->hang();
      return;
    case GuestFault::What::kDiskFull:
      for (auto& [id, plug] : plugs_)
        plug.volume->full_until =
            std::max(plug.volume->full_until, world_.simulation.now() + fault.lasts);
      return;
    case GuestFault::What::kPausedIo:
      for (auto& [id, plug] : plugs_)
        if (fault.volume.empty() || fault.volume == id.value)
          plug.volume->pause(world_.simulation.now() + fault.lasts);
      return;
    case GuestFault::What::kReadOnly:
      return trouble_mounted(VolumeModel::Trouble::kReadOnly);
    case GuestFault::What::kDiskErrors:
      return trouble_mounted(VolumeModel::Trouble::kErrors);
    case GuestFault::What::kClockSkew:
      *skew_ = {fault.skew, std::max(skew_->until, world_.simulation.now() + fault.lasts)};
      world_.simulation.after(fault.lasts, [skew = skew_, &simulation = world_.simulation] {
        if (simulation.now() >= skew->until) skew->by = {};
      });
      return;
    case GuestFault::What::kDamage:
      for (auto& [id, plug] : plugs_) plug.volume->damage_newest(fault.damage);
      return;
    case GuestFault::What::kSlowRestore:
    case GuestFault::What::kCodeUnreachable:  // affects all machines: the host handles it
    case GuestFault::What::kTornWrite:        // the model has no files
    case GuestFault::What::kReboot:           // the model does not start again
    case GuestFault::What::kDamageVolume:     // the model has no blocks
      return;
  }
}

void MachineModel::trouble_mounted(VolumeModel::Trouble trouble) {
  for (auto& [id, plug] : plugs_)
    if (!plug.mount_point.empty()) plug.volume->trouble = trouble;
}

MachineModel::Plug& MachineModel::at_node(const std::string& node) {
  for (auto& [id, plug] : plugs_)
    if (plug.node == node) return plug;
  throw spotrun::MachineError("no device " + node);
}

MachineModel::Plug* MachineModel::find_mount(const std::string& path, std::string& rest) {
  for (auto& [id, plug] : plugs_) {
    if (plug.mount_point.empty() || !path.starts_with(plug.mount_point)) continue;
    rest = path.substr(plug.mount_point.size());
    if (rest.empty() || rest[0] == '/') return &plug;
  }
  rest = path;
  return nullptr;
}

std::set<std::string>& MachineModel::files_of(const std::string& path, std::string& rest) {
  Plug* const plug = find_mount(path, rest);
  return plug ? plug->volume->content.files : own_files_;
}

std::optional<std::string> MachineModel::find_device(const std::string& device,
                                                     const std::string& volume_id) {
  program_->quiet_poll.acted();
  const auto found = plugs_.find(cloud::VolumeId{volume_id});
  if (found == plugs_.end() || found->second.node != cloud::guest_device(device).value_or(device))
    return std::nullopt;
  return found->second.node;
}

std::optional<std::string> MachineModel::data_device() const {
  std::optional<std::string> first;
  for (const auto& [id, plug] : plugs_)
    if (!first || plug.node < *first) first = plug.node;
  return first;
}

spotrun::DeviceContent MachineModel::probe(const std::string& node) {
  using Kind = spotrun::DeviceContent::Kind;
  program_->spend(at_node(node).volume->read(kProbeReads));
  const std::string& filesystem = at_node(node).volume->content.filesystem;
  if (filesystem.empty()) return {Kind::kBlank, ""};
  return {Kind::kFilesystem, filesystem};
}

void MachineModel::format(const std::string& node, const std::string& filesystem) {
  VolumeModel& volume = *at_node(node).volume;
  volume.content = {.filesystem = filesystem, .files = {}, .checkpoints = {}};
  program_->spend(kSyncLatency);
}

void MachineModel::mount(const std::string& node, const std::string& filesystem,
                         const std::string& mount_point) {
  program_->spend(at_node(node).volume->pause_left());
  Plug& plug = at_node(node);
  if (plug.volume->content.filesystem != filesystem)
    throw spotrun::MachineError("cannot mount " + node + ": no " + filesystem);
  plug.volume->trouble = VolumeModel::Trouble::kNone;
  plug.mount_point = mount_point;
}

void MachineModel::unmount(const std::string& mount_point) {
  std::string rest;
  if (const Plug* const plug = find_mount(mount_point, rest))
    program_->spend(plug->volume->pause_left());
  for (auto& [id, plug] : plugs_)
    if (plug.mount_point == mount_point) plug.mount_point.clear();
}

void MachineModel::check_writable(const std::string& path) {
  std::string rest;
  const Plug* const plug = find_mount(path, rest);
  if (!plug) return;
  if (const auto why = plug->volume->write_error(world_.simulation.now()); !why.empty())
    throw spotrun::MachineError("writing " + path + ": " + why);
}

// Nothing to do: a folder exists with its files.
void MachineModel::make_folder(const std::string&) {}

void MachineModel::remove_folder(const std::string& path) {
  std::string rest;
  auto& files = files_of(path, rest);
  std::erase_if(
      files, [&](const std::string& file) { return file == rest || file.starts_with(rest + "/"); });
}

bool MachineModel::exists(const std::string& path) {
  std::string rest;
  return files_of(path, rest).contains(rest);
}

void MachineModel::write_file(const std::string& path, const std::string& text) {
  std::string rest;
  check_writable(path);
  files_of(path, rest).insert(rest);
  if (Plug* const plug = find_mount(path, rest))
    program_->spend(plug->volume->write_file(static_cast<std::int64_t>(text.size())));
}

spotrun::ExitStatus MachineModel::run(const spotrun::Command& command) {
  return command.argv.at(0) == "git" ? git(command) : prepare(command);
}

// Clones and checks out repositories of the scenario's `code`.
spotrun::ExitStatus MachineModel::git(const spotrun::Command& command) {
  const auto& words = command.argv;
  const std::string& what = words.at(1);
  const bool asks_for_one = what == "clone" || what == "ls-remote";  // as the last word but one
  if (asks_for_one || what == "fetch") {
    program_->spend(kGitTransfer);
    if (world_.simulation.now() < world_.places.code_unreachable_until) return {.code = kGitFailed};
  }
  if (asks_for_one && !world_.repositories.contains(words.at(words.size() - 2)))
    return {.code = kGitFailed};
  if (what == "clone") {
    std::string rest;
    Plug* const plug = find_mount(words.back(), rest);
    if (plug && !plug->volume->write_error(world_.simulation.now()).empty())
      return {.code = kGitFailed};
    files_of(words.back() + "/.git", rest).insert(rest);
  } else if (what == "reset") {
    const std::string& revision = words.back();
    if (!revision.ends_with("/HEAD") && !revision.ends_with("/main"))
      world_.give_up("git " + revision + ": a modelled repository has only the branch main");
  }
  return {};
}

spotrun::ExitStatus MachineModel::prepare(const spotrun::Command& command) {
  return {.code = put_data(command.folder) ? 0 : kNoSpace};
}

bool MachineModel::put_data(const std::string& mount_point) {
  std::string rest;
  Plug* const plug = find_mount(mount_point, rest);
  return !plug || plug->volume->put_data();
}

void MachineModel::start_trainer(const spotrun::Command& command) {
  const auto& environment = command.environment;
  const auto stated = environment.find("EMULATE_STEP_TIME");
  const auto step_time =
      stated == environment.end() ? std::nullopt : base::parse_positive_duration(stated->second);
  if (!step_time) {
    world_.give_up(fmt::format(
        "the job file's profiles have no step_time of {}, which a modelled trainer needs",
        instance_type_));
  }
  std::string rest;
  const std::string& folder = environment.at("CHECKPOINT_DIR");
  if (folder.starts_with("s3://"))
    world_.give_up("the job keeps its checkpoints in " + folder +
                   ", which a modelled trainer cannot: of its places an object-store is one "
                   "(trainer.checkpoint)");
  if (!find_mount(folder, rest))
    throw spotrun::MachineError("the checkpoints' folder is on no volume");
  start_trainer(*step_time, folder);
}

void MachineModel::start_trainer(Duration step_time, const std::string& folder) {
  program_->quiet_poll.acted();
  if (trainer_) throw spotrun::MachineError("a trainer runs already");
  std::string rest;
  const Plug* const plug = find_mount(folder, rest);
  VolumeModel* const volume = plug ? plug->volume : nullptr;
  trainer_.emplace(
      ModelledTrainer::Setup{
          world_.simulation, world_.log, name_, launched_, volume, folder, places_with(volume),
          SpotWatch(world_.cloud, cloud::InstanceId{name_}, world_.next_interruption),
          draw_crash()},
      world_.trainer, step_time,
      ModelledTrainer::Hooks{.exited = [this] { program_->wake(); }, .saved = [this] { saved(); }});
}

void MachineModel::saved() {
  if (!watched_) return;
  program_->quiet_poll.changed();
  program_->wake();
}

std::vector<CheckpointPlace*> MachineModel::places_with(VolumeModel* volume) {
  std::vector<CheckpointPlace*> places;
  for (const CheckpointTier& tier : world_.trainer.tiers) {
    switch (tier.to) {
      case TierKind::kMemory:
        places.push_back(&memory_);
        break;
      case TierKind::kVolume:
        places.push_back(volume);
        break;
      case TierKind::kSnapshot:
        world_.places.snapshots->use(*volume);
        places.push_back(&*world_.places.snapshots);
        break;
      case TierKind::kObjectStore:
        places.push_back(&*world_.places.object_store);
        break;
    }
  }
  return places;
}

std::optional<Duration> MachineModel::draw_crash() {
  if (!world_.trainer.crash_every) return {};
  Stream stream = world_.streams.stream("trainer-crash", fmt::format("{}/{}", name_, ++trainers_));
  return stream.exponential(*world_.trainer.crash_every);
}

void MachineModel::signal_trainer(int signal) {
  program_->quiet_poll.acted();
  if (trainer_) trainer_->signal(signal);
}

std::optional<spotrun::ExitStatus> MachineModel::take_exit() {
  const auto status = trainer_->status();
  if (status) trainer_.reset();
  return status;
}

std::string MachineModel::state_of(const std::string& folder) {
  std::string rest;
  const Plug* const plug = find_mount(folder, rest);
  return plug ? fmt::format("{}", plug->volume->changes) : "";
}

std::optional<spotrun::ExitStatus> MachineModel::wait_trainer(spotrun::Duration timeout,
                                                              spotrun::Time look) {
  if (!trainer_) throw spotrun::MachineError("no trainer runs");
  watched_ = look != spotrun::Time::max();
  const bool quiet = !world_.every_poll && program_->quiet_poll.repeats(timeout) && !over();
  if (!quiet) return wait_simply(timeout);
  if (look == spotrun::Time::max()) return wait_quietly(timeout, {});
  return wait_quietly(timeout, Time{look.time_since_epoch()} - skew());
}

std::optional<spotrun::ExitStatus> MachineModel::wait_simply(Duration timeout) {
  const Time until = world_.simulation.now() + timeout;
  for (;;) {
    if (!program_->stop_asked()) {
      if (const auto status = take_exit()) return status;
    }
    if (!program_->wait_until(until) && !trainer_->status()) break;
  }
  program_->quiet_poll.timed_out(world_.simulation.now(), timeout);
  return std::nullopt;
}

// Waits without polls that would find nothing.
std::optional<spotrun::ExitStatus> MachineModel::wait_quietly(Duration timeout,
                                                              std::optional<Time> asked) {
  Simulation& simulation = world_.simulation;
  QuietPoll& poll = program_->quiet_poll;
  const auto rhythm = poll.rhythm(simulation.now());
  std::optional<Time> look;  // next poll that finds something
  if (asked) look = rhythm.first_look_after(*asked);
  for (;;) {
    if (over()) {
      const Time noticed = rhythm.noticed(simulation.now());
      if (noticed > simulation.now()) program_->fiber().pause_until(noticed);
      return wait_simply({});
    }
    if (poll.has_changed()) {
      const Time next = rhythm.first_look_after(simulation.now());
      look = std::min(look.value_or(next), next);
    }
    if (!look) {
      program_->fiber().wait();
    } else if (simulation.now() >= *look || !program_->fiber().wait_until(*look)) {
      if (over()) continue;
      poll.timed_out(simulation.now(), timeout);
      return std::nullopt;
    }
  }
}

}  // namespace sim::guest
