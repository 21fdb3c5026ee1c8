#include "sim/guest/fiber/fiber_host.h"

#include <fmt/format.h>

#include "orchestrator/job/user_data.h"
#include "orchestrator/program.h"
#include "sim/guest/fiber/job_places.h"
#include "sim/guest/fiber/machine_model.h"
#include "sim/guest/fiber/wire_check.h"
#include "sim/kernel/check.h"

namespace sim::guest {
namespace {

constexpr const char* kOperator = "operator";
constexpr const char* kJobFile = "job.json";  // as an instance's program sees it
constexpr Duration kUnmountLook = 1s;         // as process guests look

// As process guests have it.
client::Environment operators_environment() {
  return [](const char* name) -> std::string {
    const std::string_view variable = name;
    if (variable == "AWS_ACCESS_KEY_ID") return "AKIAIOSFODNN7EXAMPLE";
    if (variable == "AWS_SECRET_ACCESS_KEY") return "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    return variable == "AWS_EC2_METADATA_DISABLED" ? "true" : "";
  };
}
client::Environment instances_environment() {
  return [](const char*) { return std::string(); };
}

}  // namespace

// One machine: an instance, or the operator's.
struct FiberMachine {
  FiberMachine(MachineModel::Surroundings surroundings, const std::string& in_name,
               const std::string& instance_type, Time launched, Stream in_random)
      : name(in_name),
        random(std::move(in_random)),
        model(std::move(surroundings), in_name, instance_type, launched) {}

  std::string name;
  Stream random;               // of all its programs
  cloud::InstanceId instance;  // empty: the operator's
  MachineModel model;
  fakes::DirectHandler aws;
  fakes::Handler metadata;
  std::function<void()> gone;  // set while it shuts down
  std::optional<EventId> deadline;
  std::map<cloud::VolumeId, std::function<void()>> releases;  // volumes that are asked for
  bool ended = false;                                         // its program did
  std::unique_ptr<Program> program;                           // ends before what it uses
};

struct FiberHost::State : cloud::Observer {
  State(Simulation& in_simulation, EventLog& in_log, const Streams& in_streams,
        std::shared_ptr<const FiberConfig> in, FiberOptions in_options)
      : simulation(in_simulation),
        log(in_log),
        streams(in_streams),
        shared_config(std::move(in)),
        options(std::move(in_options)) {}

  FiberMachine& start(const std::string& name, const std::string& instance_type, Time launched,
                      const cloud::InstanceId& instance, std::function<int(FiberMachine&)> body);
  int run_spotrun(FiberMachine& machine, const spotrun::CommandLine& line,
                  const std::map<std::string, std::string>& files);
  int run_plan(FiberMachine& machine);
  int run_user_data(FiberMachine& machine, const std::string& script);
  fakes::DirectHandler services_of(const std::string& name);
  void ended(const std::string& name, int status);
  void finish(const std::string& name);
  void release_when_unmounted(const std::string& name, const cloud::VolumeId& volume);
  void take(FiberMachine& machine, const cloud::VolumeId& volume);
  void stop_run(const std::string& name, const std::string& what);
  void give_up(const std::string& what);
  void metadata_changed(const cloud::InstanceId& instance);

  // ---- cloud::Observer: what wakes programs that wait for it
  void changed() override;
  void rebalance_recommended(const cloud::Instance& instance) override {
    metadata_changed(instance.id);
  }
  void noticed(const cloud::Instance& instance, const std::string&) override {
    metadata_changed(instance.id);
  }

  Simulation& simulation;
  EventLog& log;
  const Streams& streams;
  const std::shared_ptr<const FiberConfig> shared_config;
  const FiberConfig& config = *shared_config;
  const FiberOptions options;
  fakes::Backend* backend = nullptr;
  std::function<void(int)> operator_exited;
  std::map<cloud::VolumeId, VolumeModel> volumes;
  struct Snapshot {
    VolumeContent content;
    std::int64_t stored = 0;
  };
  std::map<cloud::SnapshotId, Snapshot> snapshots;
  SlowRestores slow_restores;
  std::optional<JobPlaces> places;
  std::map<std::string, std::unique_ptr<FiberMachine>> machines;
  std::string failure;
};

// ---- programs

FiberMachine& FiberHost::State::start(const std::string& name, const std::string& instance_type,
                                      Time launched, const cloud::InstanceId& instance,
                                      std::function<int(FiberMachine&)> body) {
  SIM_CHECK(backend != nullptr && !machines.contains(name));
  const MachineModel::Surroundings surroundings{
      simulation,
      log,
      config.trainer,
      config.repositories,
      options.every_poll,
      backend->cloud,
      *places,
      streams,
      options.next_interruption,
      [this, name](const std::string& what) { stop_run(name, what); }};
  auto made = std::make_unique<FiberMachine>(surroundings, name, instance_type, launched,
                                             streams.stream("guest-random", name));
  FiberMachine& machine = *machines.emplace(name, std::move(made)).first->second;
  machine.instance = instance;
  machine.aws = services_of(name);
  if (!instance.empty()) machine.metadata = fakes::imds(*backend, instance);
  machine.program = std::make_unique<Program>(simulation, [this, &machine, body = std::move(body)] {
    const int status = body(machine);
    ended(machine.name, status);
  });
  machine.model.connect(*machine.program);
  return machine;
}

fakes::DirectHandler FiberHost::State::services_of(const std::string& name) {
  fakes::DirectHandler handler = fakes::direct_aws(*backend, name);
  if (!options.check_wire) return handler;
  return checked_on_the_wire(std::move(handler), [this, name](const std::string& difference) {
    stop_run(name, fmt::format("{}: not the same on the wire: {}", name, difference));
  });
}

int FiberHost::State::run_spotrun(FiberMachine& machine, const spotrun::CommandLine& line,
                                  const std::map<std::string, std::string>& files) {
  Program& program = *machine.program;
  FiberClock clock(simulation, program, options.every_poll,
                   [&machine] { return machine.model.skew(); });
  FiberLog events(simulation, program, log, machine.name, options.console);
  FiberHttp http(simulation, program, machine.metadata);
  const auto environment =
      machine.instance.empty() ? operators_environment() : instances_environment();
  FiberTransport aws(program, machine.aws, environment);
  const auto read_file = [&files](const std::string& file) {
    const auto found = files.find(file);
    if (found != files.end()) return found->second;
    throw spotrun::Failure(spotrun::ExitCode::kBadInput, file + ": cannot be read");
  };
  return static_cast<int>(spotrun::run_program(
      {.clock = clock,
       .log = events,
       .http = http,
       .aws = aws,
       .machine = machine.model,
       .environment = environment,
       .random = [&machine] { return static_cast<std::uint32_t>(machine.random.next() >> 32); },
       .read_file = read_file,
       .read_job =
           [&](const std::string& file) { return config.jobs.parse(read_file(file), file); },
       .print =
           [&](const std::string& text) {
             if (options.console) options.console(machine.name, text);
           }},
      line));
}

int FiberHost::State::run_plan(FiberMachine& machine) {
  int status = 0;
  for (const OperatorPlan::Step& step : config.plan.steps) {
    status = run_spotrun(machine, step.command, config.plan.files);
    if (status != 0 && step.ends_on_failure) break;
  }
  return status;
}

// As spotrun::user_data()'s script does.
int FiberHost::State::run_user_data(FiberMachine& machine, const std::string& script) {
  if (script.empty()) return 0;
  const auto read = spotrun::read_user_data(script);
  if (!read) {
    give_up(fmt::format("instance {} has user data that spotrun did not write", machine.name));
    return 1;
  }
  const int status =
      run_spotrun(machine, {.command = read->subcommand, .job = kJobFile}, {{kJobFile, read->job}});
  if (status != 0 && !machine.gone) backend->cloud.guest_powered_off(machine.instance);
  return status;
}

void FiberHost::State::ended(const std::string& name, int status) {
  if (!failure.empty()) return;
  FiberMachine& machine = *machines.at(name);
  log.append(simulation.now(), "guest.exit", {{"machine", name}, {"status", status}});
  machine.ended = true;
  // Its fiber is still running: what ends the machine comes as an event.
  if (machine.instance.empty()) {
    simulation.after({}, [this, name, status] {
      finish(name);
      operator_exited(status);
    });
  } else if (machine.gone) {
    simulation.after({}, [this, name] { finish(name); });
  }
}

// From inside of a machine's program.
void FiberHost::State::stop_run(const std::string& name, const std::string& what) {
  give_up(what);
  machines.at(name)->program->fiber().wait();  // for the run's end
}

void FiberHost::State::give_up(const std::string& what) {
  if (failure.empty()) failure = what;
}

// ---- the end of machines

void FiberHost::State::finish(const std::string& name) {
  const auto at = machines.find(name);
  if (at == machines.end()) return;
  const std::unique_ptr<FiberMachine> machine = std::move(at->second);
  machines.erase(at);
  machine->program.reset();
  machine->model.stop();
  if (machine->deadline) simulation.cancel(*machine->deadline);
  for (auto& [volume, released] : machine->releases) simulation.after({}, std::move(released));
  if (machine->gone) simulation.after({}, std::move(machine->gone));
}

void FiberHost::shut_down(const cloud::Instance& instance, cloud::Shutdown how,
                          std::function<void()> gone) {
  State& s = *state_;
  const std::string& name = instance.id.value;
  const auto at = s.machines.find(name);
  if (at == s.machines.end()) {
    s.simulation.after({}, std::move(gone));
    return;
  }
  FiberMachine& machine = *at->second;
  machine.gone = std::move(gone);
  if (how == cloud::Shutdown::kHard) return s.finish(name);
  if (machine.ended) {
    s.simulation.after({}, [&s, name] { s.finish(name); });
    return;
  }
  machine.model.ask_to_stop();
  machine.deadline = s.simulation.after(s.config.os_grace, [&s, name] { s.finish(name); });
}

// ---- volumes

void FiberHost::State::take(FiberMachine& machine, const cloud::VolumeId& volume) {
  machine.model.unplug(volume);
  const auto released = machine.releases.extract(volume);
  if (!released.empty()) simulation.after({}, released.mapped());
}

void FiberHost::State::release_when_unmounted(const std::string& name,
                                              const cloud::VolumeId& volume) {
  const auto at = machines.find(name);
  if (at == machines.end() || !at->second->model.plugged(volume)) return;
  if (!at->second->model.mounted(volume)) return take(*at->second, volume);
  simulation.after(kUnmountLook, [this, name, volume] { release_when_unmounted(name, volume); });
}

void FiberHost::plug(const cloud::VolumeId& volume, const cloud::InstanceId& instance,
                     const std::string& device) {
  const auto at = state_->machines.find(instance.value);
  if (at == state_->machines.end()) return;  // it powered off; its end detaches the volume
  at->second->model.plug(volume, device, state_->volumes.at(volume));
}

void FiberHost::unplug(const cloud::VolumeId& volume, const cloud::InstanceId& instance, bool force,
                       std::function<void()> released) {
  State& s = *state_;
  const auto at = s.machines.find(instance.value);
  if (at == s.machines.end() || !at->second->model.plugged(volume)) {
    s.simulation.after({}, std::move(released));
    return;
  }
  at->second->releases[volume] = std::move(released);
  if (force) return s.take(*at->second, volume);
  s.release_when_unmounted(instance.value, volume);
}

void FiberHost::create_disk(const cloud::Volume& volume) {
  State& s = *state_;
  State::Snapshot from;
  if (!volume.snapshot.empty()) from = s.snapshots.at(volume.snapshot);
  VolumeModel made(s.simulation, volume, from.content, from.stored);
  if (!volume.snapshot.empty())
    if (const auto factor = s.slow_restores.next()) made.slow_first_reads(*factor);
  s.volumes.insert_or_assign(volume.id, std::move(made));
}

void FiberHost::delete_disk(const cloud::VolumeId& volume) { state_->volumes.erase(volume); }

std::int64_t FiberHost::snapshot_disk(const cloud::SnapshotId& snapshot,
                                      const cloud::VolumeId& volume) {
  const VolumeModel& model = state_->volumes.at(volume);
  const std::int64_t stored = model.stored_bytes(state_->config.trainer);
  state_->snapshots[snapshot] = {model.content, stored};
  return stored;
}

void FiberHost::delete_snapshot_disk(const cloud::SnapshotId& snapshot) {
  state_->snapshots.erase(snapshot);
}

// ---- the run

FiberHost::FiberHost(Simulation& simulation, EventLog& log, const Streams& streams,
                     std::shared_ptr<const FiberConfig> config, FiberOptions options)
    : state_(std::make_unique<State>(simulation, log, streams, std::move(config),
                                     std::move(options))) {}

void FiberHost::State::changed() {
  for (auto& [name, machine] : machines) machine->program->cloud_changed();
}

void FiberHost::State::metadata_changed(const cloud::InstanceId& instance) {
  const auto at = machines.find(instance.value);
  if (at == machines.end()) return;
  at->second->program->quiet_poll.changed();
  at->second->program->wake();
}

void FiberHost::metadata_changed(const cloud::InstanceId& instance) {
  state_->metadata_changed(instance);
}

void FiberHost::descriptions_changed() { state_->changed(); }

void FiberHost::inflict(const cloud::InstanceId& instance, const GuestFault& fault) {
  if (fault.what == GuestFault::What::kCodeUnreachable) {
    state_->places->code_unreachable_until = state_->simulation.now() + fault.lasts;
    return;
  }
  if (fault.what == GuestFault::What::kSlowRestore) {
    state_->slow_restores = {fault.factor, fault.times};
    return;
  }
  const auto at = state_->machines.find(instance.value);
  if (at != state_->machines.end()) at->second->model.inflict(fault);
}

FiberHost::~FiberHost() {
  for (auto& [name, machine] : state_->machines) {
    machine->program.reset();
    machine->model.stop();
  }
}

void FiberHost::connect(fakes::Backend& backend) {
  state_->backend = &backend;
  backend.cloud.observe(*state_);
  state_->places.emplace(state_->config.trainer, backend.cloud, backend.latencies.api);
}

void FiberHost::run_operator(const std::string&, const std::filesystem::path&,
                             std::function<void(int status)> exited) {
  State& s = *state_;
  s.operator_exited = std::move(exited);
  s.start(kOperator, "", s.simulation.now(), {},
          [&s](FiberMachine& machine) { return s.run_plan(machine); });
}

void FiberHost::boot(const cloud::Instance& instance) {
  State& s = *state_;
  s.start(instance.id.value, instance.spec.instance_type, instance.launched_at, instance.id,
          [&s, script = instance.spec.user_data](FiberMachine& machine) {
            return s.run_user_data(machine, script);
          });
}

bool FiberHost::run(const std::function<bool()>& done) {
  while (!done()) {
    if (!state_->failure.empty()) throw CannotModel(state_->failure);
    if (!state_->simulation.step()) return false;
  }
  return true;
}

}  // namespace sim::guest
