#include "sim/guest/process/process_host.h"

#include <sys/epoll.h>

#include <set>

#include "base/process/system_call.h"
#include "sim/guest/process/abilities.h"
#include "sim/guest/process/process_host_state.h"
#include "sim/guest/time/real_clock.h"
#include "sim/kernel/check.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// Says each text once.
std::function<void(const std::string&)> once(std::function<void(const std::string&)> say) {
  return [say = std::move(say), said = std::set<std::string>()](const std::string& text) mutable {
    if (said.insert(text).second && say) say(text);
  };
}

// Files that were made for the guest, and its first folders, are as old as its boot. Files of the
// image keep their times.
void set_first_times(const Machine& machine, const FileTimes& times) {
  const auto& [upper, top] = machine.sandbox.root_files();
  times.set_all(upper.get());
  times.set_all(top.get());
  const fs::path root = machine.sandbox.root();
  for (const char* mounted : {"dev", "dev/shm", "run", "tmp"}) times.set_all(root / mounted);
  if (!machine.root_disk) return;
  for (const ShownDisk& shown : {machine.root_disk->disk, machine.root_disk->partition})
    times.set(root / "dev" / shown.name);
}

}  // namespace

ProcessHost::State::State(Simulation& simulation_, EventLog& log_, const Streams& streams_,
                          fakes::Server& server_, GuestConfig config_)
    : context(simulation_, log_, streams_, server_, supervisor, std::move(config_)),
      random(context.streams, context.config.lockstep),
      disk_times(context.simulation, context.config.lockstep),
      disks(context.config.level, context.folder.path() / "volumes",
            {.simulation = context.simulation,
             .knobs = context.config.write_back,
             .say = once(context.config.say)},
            disk_times,
            context.config.lockstep ? [this] { supervisor.end_lease(); } : std::function<void()>()),
      news(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching the guests")),
      kernel(context, random, disks),
      internet(context),
      supervisor(context.simulation, context.streams, {.lockstep = context.config.lockstep}),
      network(context),
      consoles(context),
      devices(context, machines, disks, disk_times, kernel),
      roots(context, machines),
      specs(context, internet, network, consoles),
      progress(context, machines, consoles, devices),
      faults(context, machines, disks, consoles),
      warm_programs(context, specs),
      calls(context, machines, devices, network, progress, faults, consoles, warm_programs) {
  watch(disks.changes(), kVolumes, "watching the volumes");
  specs.prepare();
  kernel.copy_settings();
  if (context.isolated()) internet.set_up();
  watch(kernel.settings_descriptor(), kSettingsNews, "watching the settings");
  watch(internet.questions_descriptor(), kQuestions, "watching the names asked for");
  // Progress lines come before the answers to requests that were made after them.
  supervisor.add_source([this] { return poll(); });
  supervisor.add_source([this] { return context.server.poll(); });
  supervisor.add_source([this] { return network.poll(); });
  supervisor.set_hooks(calls);
}

ProcessHost::State::~State() {
  network.close();
  progress.close();
  while (!machines.all().empty()) {
    Machine& machine = *machines.all().begin()->second;
    machine.gone = {};
    machine.exited = {};
    machine.output.reset();  // its reader has ended
    for (auto& [volume, plug] : machine.plugs) plug.released = {};
    finish(machine.name);
  }
}

Machine& ProcessHost::State::start(const std::string& name, const cloud::InstanceId& instance,
                                   SandboxSpec spec, std::optional<ContainerOutput> output) {
  SIM_CHECK(context.backend != nullptr && !machines.find(name));
  const ConsoleFile& console = consoles.of(name);
  if (spec.console < 0) spec.console = console.descriptor();
  const bool has_metadata = !instance.empty() && !output;
  spec.metadata = has_metadata;
  auto uptime = kernel.make_uptime_files(name, spec);
  const auto began = coarse_real_date();
  Sandbox sandbox = Sandbox::start(spec);
  JobEvents events(
      sandbox.take_job_events(), name,
      [this, name](const std::string& path) { return devices.disk_of(name, path); },
      [this, name](const std::string& path, std::int64_t step) {
        progress.saved(name, path, step, step);
      });
  ConsoleDevice device(context.isolated() ? sandbox.root() : "", console.path());
  Machine& machine = machines.add({.name = name,
                                   .instance = instance,
                                   .sandbox = std::move(sandbox),
                                   .events = std::move(events),
                                   .console = std::move(device)});
  machine.output = std::move(output);
  machine.root_disk = spec.root.disk;
  kernel.list_partitions(machine);
  if (context.isolated()) set_first_times(machine, {began, context.simulation.now()});
  machines.set_guest(machine, supervisor.adopt(machine.sandbox.take_notifications().release(),
                                               descendants_of(machine.sandbox.init()), name));
  if (context.config.level == Level::kRoot) disk_times.watch(machine.sandbox.inside());
  if (uptime) supervisor.show_uptime(machine.guest, std::move(uptime));
  kernel.serve_random_files(machine);
  const auto touched = [this, guest = machine.guest] { supervisor.wake(guest); };
  const bool own = context.isolated();
  const fakes::Handler aws = fakes::aws(*context.backend, name);
  machine.listeners.push_back(
      context.server.listen(machine.sandbox.take_endpoint().release(),
                            own ? internet.handler_of(machine, false, aws) : aws, touched));
  if (has_metadata)
    machine.listeners.push_back(context.server.listen(machine.sandbox.take_metadata().release(),
                                                      fakes::imds(*context.backend, instance),
                                                      touched));
  if (own) internet.connect(machine, aws);
  network.join(machine);
  kernel.begin_boot(machine);
  progress.watch(machine);
  for (const int from : machine.heard_from()) watch(from, machine.guest, "watching " + name);
  return machine;
}

ProcessHost::ProcessHost(Simulation& simulation, EventLog& log, const Streams& streams,
                         fakes::Server& server, GuestConfig config)
    : state_(std::make_unique<State>(simulation, log, streams, server, std::move(config))) {}

ProcessHost::~ProcessHost() = default;

void ProcessHost::connect(fakes::Backend& backend) {
  state_->context.backend = &backend;
  state_->progress.follow_copies();
  state_->context.server.take_long_uploads(fakes::long_uploads(backend.latencies));
}

// Output and saves of running machines since their last news count, too.
bool ProcessHost::run(const std::function<bool()>& done) {
  const bool is_done = state_->supervisor.run(done);
  for (const auto& [name, machine] : state_->machines.all()) state_->progress.end(*machine);
  return is_done;
}

void ProcessHost::run_operator(const std::string& script, const fs::path& scenario,
                               std::function<void(int status)> exited) {
  State& s = *state_;
  s.start(kOperatorName, {}, s.specs.of_operator(script, scenario)).exited = std::move(exited);
}

void ProcessHost::boot(const cloud::Instance& instance) {
  State& s = *state_;
  const cloud::Volume& root = s.roots.volume_of(instance);
  SandboxSpec spec =
      s.specs.of_instance(instance, Devices::root_disk_of(instance, root), s.roots.origin(root));
  spec.writes = s.watches_writes || s.faults.will_cut(instance.id);
  s.start(instance.id.value, instance.id, std::move(spec)).root_volume = root.id;
}

Duration ProcessHost::computing_time(const cloud::InstanceId& id, Time from, Time to) const {
  return state_->calls.computing_times().within(id, from, to);
}

std::string ProcessHost::console(const cloud::InstanceId& id, std::size_t most) const {
  return state_->consoles.tail(id.value, most);
}

// ---- disks

void ProcessHost::create_disk(const cloud::Volume& volume) { state_->disks.create(volume); }
void ProcessHost::change_disk(const cloud::Volume& volume) {
  state_->disks.change(volume);
  state_->devices.show_again(volume);
}
void ProcessHost::delete_disk(const cloud::VolumeId& volume) {
  state_->roots.is_root(volume) ? state_->roots.remove(volume) : state_->disks.remove(volume);
}
std::int64_t ProcessHost::snapshot_disk(const cloud::SnapshotId& snapshot,
                                        const cloud::VolumeId& volume) {
  return state_->roots.is_root(volume) ? state_->roots.snapshot(snapshot, volume)
                                       : state_->disks.snapshot(snapshot, volume);
}
std::optional<std::int64_t> ProcessHost::changed_bytes(const cloud::SnapshotId& previous,
                                                       const cloud::SnapshotId& snapshot) {
  return state_->roots.is_root(snapshot) ? state_->roots.changed(previous, snapshot)
                                         : state_->disks.changed(previous, snapshot);
}
void ProcessHost::copy_snapshot_disk(const cloud::SnapshotId& from, const cloud::SnapshotId& to) {
  state_->roots.is_root(from) ? state_->roots.copy(from, to) : state_->disks.copy(from, to);
}
void ProcessHost::delete_snapshot_disk(const cloud::SnapshotId& snapshot) {
  state_->roots.is_root(snapshot) ? state_->roots.remove(snapshot) : state_->disks.remove(snapshot);
}
void ProcessHost::plug(const cloud::VolumeId& volume, const cloud::InstanceId& instance,
                       const std::string& device) {
  State& s = *state_;
  if (!s.machines.find(instance.value)) return;  // it powered off; its end detaches the volume
  s.devices.plug(volume, instance, device,
                 s.specs.links_of(s.context.cloud_of(instance).instance(instance)));
}
void ProcessHost::unplug(const cloud::VolumeId& volume, const cloud::InstanceId& instance,
                         bool force, std::function<void()> released) {
  state_->devices.unplug(volume, instance, force, std::move(released));
}

// ---- what goes wrong

bool ProcessHost::can(GuestFault::What what) const {
  return process_guests_can(what, state_->context.config.level);
}
void ProcessHost::inflict(const cloud::InstanceId& instance, const GuestFault& fault) {
  state_->faults.inflict(instance, fault);
}
bool ProcessHost::cut_power_at(const cloud::InstanceId& instance, FileCut cut) {
  state_->faults.cut_power_at(instance, std::move(cut));
  return true;
}
void ProcessHost::watch_writes() { state_->watches_writes = true; }
void ProcessHost::zero_first_block(const cloud::VolumeId& volume) {
  state_->disks.zero_first_block(volume);
}

}  // namespace sim::guest
