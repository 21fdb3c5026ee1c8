#include "sim/guest/process/process_host.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "base/system_call.h"
#include "sim/events/event.h"
#include "sim/guest/process/guest_files.h"
#include "sim/guest/process/process_host_state.h"
#include "sim/guest/sandbox/accounts.h"
#include "sim/guest/sandbox/guest_network.h"
#include "sim/guest/sandbox/host_data.h"
#include "sim/kernel/check.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;
using Kind = SandboxMessage::Kind;

constexpr const char* kOperator = "operator";
constexpr int kSettingsNews = -1, kQuestions = -2;  // no guest's tokens
// Paths in a guest.
constexpr const char* kCommands = "/var/lib/spotsim/commands";
constexpr const char* kPrograms = "/var/lib/spotsim/bin";
constexpr const char* kRepositories = "/var/lib/spotsim/repositories";
constexpr const char* kScenario = "/scenario";
constexpr const char* kOperatorScript = "/var/lib/spotsim/operator.sh";
constexpr const char* kSystemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

constexpr int kVolumes = 0;  // among the guests' tokens, which begin at 1

// "10.0.1.17" → "ip-10-0-1-17", EC2's default host name.
std::string hostname_of(const std::string& private_ip) {
  std::string out = "ip-" + (private_ip.empty() ? "10-0-0-10" : private_ip);
  std::replace(out.begin(), out.end(), '.', '-');
  return out;
}

// Says each text once.
std::function<void(const std::string&)> once(std::function<void(const std::string&)> say) {
  return [say = std::move(say), said = std::set<std::string>()](const std::string& text) mutable {
    if (said.insert(text).second && say) say(text);
  };
}

void write_script(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) base::throw_errno("writing " + file.string());
  fs::permissions(file, fs::perms(0755));
}

}  // namespace

ProcessHost::State::State(Simulation& simulation_, EventLog& log_, const Streams& streams_,
                          fakes::Server& server_, GuestConfig config_)
    : simulation(simulation_),
      log(log_),
      server(server_),
      config(std::move(config_)),
      folder(config.level),
      streams(streams_),
      random(streams, config.lockstep),
      disk_times(simulation, config.lockstep),
      disks(config.level, folder.path() / "volumes",
            {.simulation = simulation, .knobs = config.write_back, .say = once(config.say)},
            disk_times,
            config.lockstep ? [this] { supervisor.end_lease(); } : std::function<void()>()),
      news(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching the guests")),
      name_server(simulation),
      supervisor(simulation, streams, {.lockstep = config.lockstep}),
      network(simulation, log, config.network, network_hooks()) {
  const bool own = has_namespaces(config.level);
  epoll_event changed{.events = EPOLLIN, .data = {.fd = kVolumes}};
  base::checked(epoll_ctl(news.get(), EPOLL_CTL_ADD, disks.changes(), &changed),
                "watching the volumes");
  fs::create_directories(config.output / "console");
  fs::permissions(config.output / "console", fs::perms(umask.callers(0777)));
  fs::create_directories(folder.path() / "guests");
  write_guest_commands(folder.path() / "commands", config.level);
  const fs::path repositories = folder.path() / "repositories";
  git_config = make_repositories(config.repositories, repositories,
                                 own ? fs::path(kRepositories) : repositories);
  write_script(repositories / "gitconfig", git_config);
  if (own) prepare_images();
  copy_settings();
  if (own) set_up_internet();
  epoll_event written{.events = EPOLLIN, .data = {.fd = kSettingsNews}};
  base::checked(epoll_ctl(news.get(), EPOLL_CTL_ADD, settings.descriptor(), &written),
                "watching the settings");
  epoll_event asked{.events = EPOLLIN, .data = {.fd = kQuestions}};
  base::checked(epoll_ctl(news.get(), EPOLL_CTL_ADD, name_server.descriptor(), &asked),
                "watching the names asked for");
  // Progress lines come before the answers to requests that were made after them.
  supervisor.add_source([this] { return poll(); });
  supervisor.add_source([this] { return server.poll(); });
  connect_network();
  supervisor.set_charge([this](int guest) { return charge(guest); });
  supervisor.set_lendable([this](int guest) { return lendable(guest); });
  supervisor.set_sync(
      [this](int guest, int descriptor, int call) { return sync(guest, descriptor, call); });
  supervisor.set_written_through([this](int guest, const fs::path& file) {
    if (Machine* machine = machine_of(guest)) machine->written_through.push_back(file);
  });
  supervisor.set_make_fifo([this](int guest, const fs::path& fifo) {
    if (const Machine* machine = machine_of(guest)) make_fifo(*machine, fifo);
  });
  supervisor.set_mount(
      [this](const Supervisor::MountCall& call) {
        const auto result = mount(call);
        if (result == 0) skip_progress_of_others(call.guest);
        return result;
      },
      [this](int guest, pid_t task, const std::string& target) {
        return unmount(guest, task, target);
      });
  supervisor.set_write(
      [this](int guest, pid_t task, int descriptor) { return watched(guest, task, descriptor); });
  supervisor.set_control(
      [this](int guest, int descriptor, std::uint32_t request, std::uint64_t argument) {
        return control(guest, descriptor, request, argument);
      });
  supervisor.set_spun([this](const auto& task) { has_spun(task); });
  supervisor.set_busy([this](const auto& task) { say_busy(task); });
  supervisor.set_refused([this](int guest, std::string_view call) { was_refused(guest, call); });
}

ProcessHost::State::~State() {
  network.close();
  copies.reset();  // the buckets are gone
  while (!machines.empty()) {
    Machine& machine = *machines.begin()->second;
    machine.gone = {};
    machine.exited = {};
    machine.output.reset();  // who would hear it is gone
    for (auto& [volume, plug] : machine.plugs) plug.released = {};
    finish(machine.name);
  }
}

void ProcessHost::State::prepare_images() {
  const fs::path hidden = folder.path() / "hidden";
  fs::create_directory(hidden);
  if (config.level == Level::kRoot) hide_host_data(hidden);
  const auto prepared = [&](const std::string& name, const Image& image) {
    if (const std::string objection = objection_to(image); !objection.empty())
      throw std::runtime_error(objection);
    ImageLayers layers(image);
    if (config.level != Level::kRoot) return layers;
    layers.assign_owners(folder.path() / "images" / name);
    layers.hide_by(hidden);
    return layers;
  };
  // Not by their IDs: a container's has slashes and a colon.
  for (const auto& [id, image] : config.images)
    images.emplace(id, prepared(std::to_string(images.size()), image));
  other_image = prepared("other", config.other_image);
}

const ImageLayers& ProcessHost::State::image_of(const cloud::Instance& instance) const {
  const auto found = images.find(instance.spec.image_id);
  return found == images.end() ? other_image : found->second;
}

SandboxSpec ProcessHost::State::spec_for(const std::string& name, const std::string& hostname) {
  const bool own = has_namespaces(config.level);
  const fs::path home = folder.path() / "guests" / name;
  fs::create_directories(home);
  SandboxSpec spec;
  spec.lockstep = config.lockstep;
  spec.root = {.level = config.level, .scratch = home, .hostname = hostname};
  // mount(8) of util-linux 2.39 and later would mount by fsopen(2), which is not trapped.
  spec.environment = {{"LANG", "C.UTF-8"}, {"LIBMOUNT_FORCE_MOUNT2", "always"}};
  fs::path commands = kCommands, programs = kPrograms;
  if (own) {
    add_internet_files(spec, name != kOperator);
    spec.root.settings = folder.path() / "settings";
    spec.root.binds[kCommands] = folder.path() / "commands";
    spec.root.binds[kRepositories] = folder.path() / "repositories";
    if (!config.programs.empty()) spec.root.binds[kPrograms] = fs::absolute(config.programs);
    spec.root.files["/etc/gitconfig"] = git_config;
    Stream identity = streams.stream("machine-id", name);
    spec.root.files["/etc/machine-id"] =
        fmt::format("{:016x}{:016x}\n", identity.next(), identity.next());
    spec.environment["AWS_ENDPOINT_URL"] = std::string("http://") + kEndpointAddress;
    spec.environment["HOME"] = "/root";
  } else {
    commands = folder.path() / "commands";
    if (!config.programs.empty()) programs = fs::absolute(config.programs);
    spec.environment["GIT_CONFIG_SYSTEM"] = folder.path() / "repositories" / "gitconfig";
    spec.environment["HOME"] = spec.environment["SPOTRUN_ROOT"] = home;
    fs::create_directory(home / "tmp");
    spec.environment["TMPDIR"] = home / "tmp";
    spec.folder = home;
    spec.job_events = home / "job-events";
  }
  spec.environment["JOB_EVENTS"] = spec.job_events;
  const std::string folders =
      commands.string() + (config.programs.empty() ? "" : ":" + programs.string());
  spec.environment["PATH"] = folders + ":" + kSystemPath;
  if (own) spec.root.files.merge(environment_files(spec.environment, folders));
  return spec;
}

void show_credentials(SandboxSpec& spec, const std::string& region) {
  auto& variables = spec.environment;
  variables["AWS_ACCESS_KEY_ID"] = "AKIAIOSFODNN7EXAMPLE";
  variables["AWS_SECRET_ACCESS_KEY"] = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  variables["AWS_DEFAULT_REGION"] = variables["AWS_REGION"] = region;
  variables["AWS_EC2_METADATA_DISABLED"] = "true";
}

Machine& ProcessHost::State::start(const std::string& name, const cloud::InstanceId& instance,
                                   SandboxSpec spec, std::optional<ContainerOutput> output) {
  SIM_CHECK(backend != nullptr && !machines.contains(name));
  const ConsoleFile& console = console_of(name);
  if (spec.console < 0) spec.console = console.descriptor();
  const bool has_metadata = !instance.empty() && !output;
  spec.metadata = has_metadata;
  if (has_namespaces(config.level)) set_utc(spec);
  auto uptime = make_uptime_files(name, spec);
  Sandbox sandbox = Sandbox::start(spec);
  JobEvents events(
      sandbox.take_job_events(), name,
      [this, name](const std::string& path) { return disk_of(name, path); },
      [this, name](const std::string& path, std::int64_t step) { saved(name, path, step, step); });
  ConsoleDevice device(has_namespaces(config.level) ? sandbox.root() : "", console.path());
  Machine& machine =
      *machines
           .emplace(name, std::make_unique<Machine>(Machine{.name = name,
                                                            .instance = instance,
                                                            .sandbox = std::move(sandbox),
                                                            .events = std::move(events),
                                                            .console = std::move(device)}))
           .first->second;
  machine.output = std::move(output);
  machine.root_disk = spec.root.disk;
  list_partitions(machine);
  machine.guest = supervisor.adopt(machine.sandbox.take_notifications().release(),
                                   descendants_of(machine.sandbox.init()), name);
  if (config.level == Level::kRoot) disk_times.watch(machine.sandbox.inside());
  if (uptime) supervisor.show_uptime(machine.guest, std::move(uptime));
  serve_random_files(machine);
  const auto touched = [this, guest = machine.guest] { supervisor.wake(guest); };
  const bool own = has_namespaces(config.level);
  const fakes::Handler aws = fakes::aws(*backend, name);
  machine.listeners.push_back(server.listen(machine.sandbox.take_endpoint().release(),
                                            own ? internet_of(machine, false, aws) : aws, touched));
  if (has_metadata)
    machine.listeners.push_back(server.listen(machine.sandbox.take_metadata().release(),
                                              fakes::imds(*backend, instance), touched));
  if (own) connect_to_internet(machine, aws);
  machine_of_guest[machine.guest] = &machine;
  join_network(machine);
  if (own) machine.network_settings = NetworkSettings(machine.sandbox.inside());
  show_new_boot(machine);
  watch_settings(machine);
  watch_progress(machine);
  for (const int from : machine.heard_from()) {
    epoll_event heard{.events = EPOLLIN, .data = {.fd = machine.guest}};
    base::checked(epoll_ctl(news.get(), EPOLL_CTL_ADD, from, &heard), "watching " + name);
  }
  return machine;
}

bool ProcessHost::State::poll() {
  std::array<epoll_event, 64> ready;
  const int n = epoll_wait(news.get(), ready.data(), ready.size(), 0);
  std::set<std::string> names;  // in their order; while they are polled, machines come and go
  bool any = disk_times.settle();
  any = random.settle() || any;
  for (const auto& [name, machine] : machines) {
    any = read_progress(*machine) || any;
    copy_console(*machine);
  }
  for (int i = 0; i < n; ++i) {
    if (ready[i].data.fd == kVolumes)
      any = disks.hear() || any;
    else if (ready[i].data.fd == kSettingsNews)
      any = settings.drain(simulation.now(), log) || any;
    else if (ready[i].data.fd == kQuestions)
      any = name_server.poll() || any;
    else
      names.insert(machine_of(ready[i].data.fd)->name);
  }
  for (const auto& name : names) any = poll(name) || any;
  return any;
}

bool ProcessHost::State::poll(const std::string& name) {
  const auto at = machines.find(name);
  if (at == machines.end()) return false;
  Machine& machine = *at->second;
  supervisor.wake(machine.guest);  // it may wait for a full pipe
  bool any = machine.events.drain(simulation.now(), log);
  any = machine.console.drain() || any;
  if (machine.output) any = machine.output->drain() || any;
  if (const auto message = machine.sandbox.receive()) {
    // What was written before the message was sent.
    machine.events.drain(simulation.now(), log);
    if (machine.output) machine.output->drain();
    copy_console(machine);
    handle(machine, *message);
    any = true;
  }
  return any;
}

void ProcessHost::State::handle(Machine& machine, const SandboxMessage& message) {
  const std::string name = machine.name;
  const cloud::InstanceId instance = machine.instance;
  switch (message.kind) {
    case Kind::kFirstExited:
      log.append(
          events::GuestExit{.time = simulation.now(), .machine = name, .status = message.status});
      if (machine.exited) {
        const auto exited = std::move(machine.exited);
        finish(name);
        exited(message.status);
      }
      return;
    case Kind::kEmpty:
      machine.empty = true;
      if (machine.gone)
        finish(name);
      else if (machine.reboot_takes)
        start_again(name);
      return;
    case Kind::kReboot:
      if (!instance.empty() && !machine.gone && !machine.output)
        backend->cloud.reboot_instances({instance});
      return;
    case Kind::kPowerOff:
      if (!instance.empty() && !machine.gone && !machine.output)
        backend->cloud.guest_powered_off(instance);
      return;
    case Kind::kGone: {
      // reboot(2) in a PID namespace ends its init.
      const bool expected = static_cast<bool>(machine.gone);
      const auto exited = std::move(machine.exited);
      finish(name);
      if (exited) exited(128 + SIGKILL);
      if (!instance.empty() && !expected) backend->cloud.guest_powered_off(instance);
      return;
    }
  }
}

ProcessHost::ProcessHost(Simulation& simulation, EventLog& log, const Streams& streams,
                         fakes::Server& server, GuestConfig config)
    : state_(std::make_unique<State>(simulation, log, streams, server, std::move(config))) {}

ProcessHost::~ProcessHost() = default;

void ProcessHost::connect(fakes::Backend& backend) {
  state_->backend = &backend;
  state_->follow_copies();
  state_->server.take_long_uploads(fakes::long_uploads(backend.latencies));
}

// What machines that still run have printed and saved since they last told of it counts, too.
bool ProcessHost::run(const std::function<bool()>& done) {
  const bool is_done = state_->supervisor.run(done);
  for (const auto& [name, machine] : state_->machines) state_->end_progress(*machine);
  return is_done;
}

void ProcessHost::watch_writes() { state_->watches_writes = true; }

void ProcessHost::run_operator(const std::string& script, const fs::path& scenario,
                               std::function<void(int status)> exited) {
  State& s = *state_;
  SandboxSpec spec = s.spec_for(kOperator, "operator");
  show_credentials(spec, s.config.region);
  fs::path file = kOperatorScript;
  if (has_namespaces(s.config.level)) {
    spec.root.files[kOperatorScript] = "#!/bin/bash\n" + script;
    // Without files of its own the script starts in the root folder.
    spec.folder = "/";
    if (!scenario.empty()) {
      spec.root.binds[kScenario] = fs::absolute(scenario);
      spec.folder = kScenario;
    }
  } else {
    file = spec.root.scratch / "operator.sh";
    write_script(file, "#!/bin/bash\n" + script);
    spec.folder = scenario.empty() ? spec.root.scratch : fs::absolute(scenario);
  }
  spec.command = {"/bin/bash", file};
  s.start(kOperator, {}, std::move(spec)).exited = std::move(exited);
}

void ProcessHost::boot(const cloud::Instance& instance) {
  State& s = *state_;
  const std::string& name = instance.id.value;
  SandboxSpec spec = s.spec_for(name, hostname_of(instance.private_ip));
  spec.root.image = s.image_of(instance);
  spec.root.disk = s.root_disk_of(instance);
  spec.writes = s.watches_writes || s.cuts.contains(instance.id);
  s.show_private_address(spec, instance);
  s.boot(instance, spec);
  s.start(name, instance.id, std::move(spec));
}

}  // namespace sim::guest
