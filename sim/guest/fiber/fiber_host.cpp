#include <fmt/format.h>

#include "orchestrator/program.h"
#include "sim/guest/fiber/fiber_host_state.h"
#include "sim/guest/fiber/group_guest.h"
#include "sim/guest/fiber/wire_check.h"
#include "sim/kernel/check.h"

namespace sim::guest {
namespace {

constexpr const char* kOperator = "operator";
constexpr const char* kJobFile = "job.json";  // name that an instance's program sees

// The same as for process guests.
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

OperatorAws FiberHost::State::aws_of(FiberMachine& machine, const fakes::Handler& handler) {
  return OperatorAws(simulation, *machine.program, machine.random, handler,
                     backend->cloud.config().region, backend->latencies.s3_bytes_per_second,
                     options.console, machine.name);
}

int FiberHost::State::run_plan(FiberMachine& machine) {
  const fakes::Handler handler = fakes::aws(*backend, machine.name, fakes::Access::kInProcess);
  OperatorAws aws = aws_of(machine, handler);
  int status = 0;
  for (const OperatorPlan::Step& step : config.plan.steps) {
    if (const auto* const spotrun = std::get_if<spotrun::CommandLine>(&step.command))
      status = run_spotrun(machine, *spotrun, config.plan.files);
    else if (const auto* const curl = std::get_if<CurlCommand>(&step.command))
      status = aws.run(*curl);
    else
      status = aws.run(std::get<AwsCommand>(step.command));
    if (status != 0 && step.ends_on_failure) break;
  }
  return status;
}

int FiberHost::State::run_user_data(FiberMachine& machine) {
  const cloud::Instance& instance = backend->cloud.instance(machine.instance);
  const std::string& script = instance.spec.user_data;
  const auto read = spotrun::read_user_data(script);
  const bool of_group = is_of_group(instance);
  int status = 0;
  if (read) {
    status = run_job(machine, *read);
  } else if (of_group && config.trainer.step_time) {
    status = run_for_group(machine, instance);
  } else if (!script.empty()) {
    give_up(fmt::format("instance {} has user data that spotrun did not write{}", machine.name,
                        of_group ? "; with trainer.step_time the fiber guest models it" : ""));
    return 1;
  }
  if (status != 0 && !machine.gone) backend->cloud.guest_powered_off(machine.instance);
  return status;
}

// Runs the job like the script of spotrun::user_data().
int FiberHost::State::run_job(FiberMachine& machine, const spotrun::UserData& user_data) {
  return run_spotrun(machine, {.command = user_data.subcommand, .job = kJobFile},
                     {{kJobFile, user_data.job}});
}

int FiberHost::State::run_for_group(FiberMachine& machine, const cloud::Instance& instance) {
  if (needs_volume(config.trainer) && !may_have_volume(instance))
    stop_run(machine.name,
             fmt::format("trainer.checkpoint: found the place volume, but instance {} of an Auto "
                         "Scaling group has no data volume; expected object-store, or a volume "
                         "among the block device mappings of the launch configuration",
                         machine.name));
  const fakes::Handler handler = fakes::aws(*backend, machine.name, fakes::Access::kInProcess);
  OperatorAws aws = aws_of(machine, handler);
  return GroupGuest({.simulation = simulation,
                     .program = *machine.program,
                     .machine = machine.model,
                     .aws = aws,
                     .metadata = machine.metadata,
                     .trainer = config.trainer,
                     .instance = instance})
      .run();
}

void FiberHost::State::ended(const std::string& name, int status) {
  if (!failure.empty()) return;
  FiberMachine& machine = *machines.at(name);
  log.append(events::GuestExit{.time = simulation.now(), .machine = name, .status = status});
  machine.ended = true;
  // The fiber still runs, so the machine's end is a separate event.
  if (machine.instance.empty()) {
    simulation.after({}, [this, name, status] {
      finish(name);
      operator_exited(status);
    });
  } else if (machine.gone) {
    simulation.after({}, [this, name] { finish(name); });
  }
}

// Called by a machine's program.
void FiberHost::State::stop_run(const std::string& name, const std::string& what) {
  give_up(what);
  machines.at(name)->program->fiber().wait();  // until the run ends
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
  if (s.containers->shut_down(instance.id, how, gone)) return;
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

void FiberHost::hibernate(const cloud::Instance& instance, std::function<void()> at_rest) {
  State& s = *state_;
  const auto at = s.machines.find(instance.id.value);
  if (at != s.machines.end() && !at->second->ended)
    s.give_up(
        fmt::format("instance {} hibernates, but a fiber guest cannot keep the memory of its "
                    "programs; process guests can (`guest: {{kind: process}}`)",
                    instance.id.value));
  s.simulation.after({}, std::move(at_rest));
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
  state_->containers->inflict(instance, fault);
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
  State& s = *state_;
  s.places.emplace(s.config.trainer, backend.cloud, backend.latencies.api);
  s.containers.emplace(
      ModelledContainer::Surroundings{s.simulation, s.log, s.streams, s.config.trainer, *s.places},
      FiberContainers::Options{
          .has_image = [&s](const std::string& image) { return s.config.images.contains(image); },
          .os_grace = s.config.os_grace,
          .give_up = [&s](const std::string& what) { s.give_up(what); }});
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
          [&s](FiberMachine& machine) { return s.run_user_data(machine); });
}

bool FiberHost::run(const std::function<bool()>& done) {
  while (!done()) {
    if (!state_->failure.empty()) throw CannotModel(state_->failure);
    if (!state_->simulation.step()) return false;
  }
  return true;
}

}  // namespace sim::guest
