#include "sim/guest/process/parts/sandbox_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/process/system_call.h"
#include "sim/guest/disks/file_times.h"
#include "sim/guest/process/files/guest_files.h"
#include "sim/guest/sandbox/accounts.h"
#include "sim/guest/sandbox/guest_network.h"
#include "sim/guest/sandbox/host_data.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// Paths in a guest.
constexpr const char* kCommands = "/var/lib/spotsim/commands";
constexpr const char* kPrograms = "/var/lib/spotsim/bin";
constexpr const char* kRepositories = "/var/lib/spotsim/repositories";
constexpr const char* kScenario = "/scenario";
constexpr const char* kOperatorScript = "/var/lib/spotsim/operator.sh";
constexpr const char* kSystemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

// "10.0.1.17" → "ip-10-0-1-17", EC2's default host name.
std::string hostname_of(const std::string& private_ip) {
  std::string out = "ip-" + (private_ip.empty() ? "10-0-0-10" : private_ip);
  std::replace(out.begin(), out.end(), '.', '-');
  return out;
}

void write_script(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) base::throw_errno("writing " + file.string());
  fs::permissions(file, fs::perms(0755));
}

// Keys that sign for the region, in the environment. The signature itself is not checked.
void show_credentials(SandboxSpec& spec, const std::string& region) {
  auto& variables = spec.environment;
  variables["AWS_ACCESS_KEY_ID"] = "AKIAIOSFODNN7EXAMPLE";
  variables["AWS_SECRET_ACCESS_KEY"] = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  variables["AWS_DEFAULT_REGION"] = variables["AWS_REGION"] = region;
  variables["AWS_EC2_METADATA_DISABLED"] = "true";
}

// Amazon's images have UTC, and not the time zone of this machine. An image's own zone counts.
void set_utc(SandboxSpec& spec) {
  if (!spec.root.image.is_host("etc/localtime") && !spec.root.image.at("etc/localtime").empty())
    return;
  // A TZif file of version 1 (RFC 9636): its header with two counts, one type of local time, its
  // name.
  std::string file(44 + 6, '\0');
  file.replace(0, 4, "TZif");
  file[39] = 1;  // types; the last byte of a big-endian number
  file[43] = 4;  // bytes of names
  spec.root.files["/etc/localtime"] = file + std::string("UTC\0", 4);
  spec.root.files["/etc/timezone"] = "Etc/UTC\n";
}

// The image of the scenario, where an instance's own image was made of one that ran from it.
const std::string& base_image(const cloud::Instance& instance) {
  const cloud::LaunchSpec& spec = instance.spec;
  return spec.base_image.empty() ? spec.image_id : spec.base_image;
}

// As Docker starts an image: its ENV below the variables that the service sets, its WORKDIR, which
// is made where there is none, and its ENTRYPOINT.
void start_as_image_says(const ContainerSettings& image, const cloud::Container& container,
                         SandboxSpec& spec) {
  for (const auto& [variable, value] : image.environment) {
    std::string& set = spec.environment[variable];
    set = variable == "PATH" ? value + ":" + set : value;
  }
  for (const auto& [variable, value] : container.environment) spec.environment[variable] = value;
  spec.command = {"/bin/sh", "-c", "[ -d \"$0\" ] || mkdir -p \"$0\"; cd \"$0\" && exec \"$@\"",
                  image.working_folder};
  const auto& first = container.entrypoint.empty() ? image.entrypoint : container.entrypoint;
  spec.command.insert(spec.command.end(), first.begin(), first.end());
  spec.command.insert(spec.command.end(), container.arguments.begin(), container.arguments.end());
}

bool has_curl(const ImageLayers& image) {
  return !image.at("usr/bin/curl").empty() || !image.at("usr/local/bin/curl").empty();
}

}  // namespace

SandboxSpecs::SandboxSpecs(HostContext& context, const Internet& internet,
                           const MachineNetwork& network, Consoles& consoles)
    : context_(context), internet_(internet), network_(network), consoles_(consoles) {}

void SandboxSpecs::prepare() {
  const fs::path output = context_.config.output / "console";
  fs::create_directories(output);
  fs::permissions(output, fs::perms(context_.umask.callers(0777)));
  fs::create_directories(context_.folder.path() / "guests");
  const auto began = coarse_real_date();
  const fs::path commands = context_.folder.path() / "commands";
  const fs::path without_curl = context_.folder.path() / "commands-without-curl";
  write_guest_commands(commands, context_.config.level, context_.config.warm_aws);
  write_guest_commands(without_curl, context_.config.level, context_.config.warm_aws);
  if (context_.config.warm_aws && context_.config.lockstep && has_curl(ImageLayers()))
    write_warm_command(commands / "curl");
  const fs::path repositories = context_.folder.path() / "repositories";
  git_config_ = make_repositories(context_.config.repositories, repositories,
                                  context_.isolated() ? fs::path(kRepositories) : repositories);
  write_script(repositories / "gitconfig", git_config_);
  const FileTimes times(began, context_.simulation.now());
  for (const fs::path& folder : {commands, without_curl}) times.set_all(folder);
  times.set_all(repositories);
  if (context_.isolated()) prepare_images();
}

void SandboxSpecs::prepare_images() {
  const fs::path hidden = context_.folder.path() / "hidden";
  fs::create_directory(hidden);
  if (context_.config.level == Level::kRoot) hide_host_data(hidden);
  const auto prepared = [&](const std::string& name, const Image& image) {
    if (const std::string objection = objection_to(image); !objection.empty())
      throw std::runtime_error(objection);
    ImageLayers layers(image);
    if (context_.config.level != Level::kRoot) return layers;
    layers.assign_owners(context_.folder.path() / "images" / name);
    layers.hide_by(hidden);
    return layers;
  };
  // Not by their IDs: a container's has slashes and a colon.
  for (const auto& [id, image] : context_.config.images)
    images_.emplace(id, prepared(std::to_string(images_.size()), image));
  other_image_ = prepared("other", context_.config.other_image);
}

const ImageLayers& SandboxSpecs::layers_of(const cloud::Instance& instance) const {
  const auto found = images_.find(base_image(instance));
  return found == images_.end() ? other_image_ : found->second;
}

const Image& SandboxSpecs::image_of(const cloud::Instance& instance) const {
  const auto found = context_.config.images.find(base_image(instance));
  return found == context_.config.images.end() ? context_.config.other_image : found->second;
}

// An image's distribution shows in the user that all its instances have.
DiskLinks SandboxSpecs::links_of(const cloud::Instance& instance) const {
  const auto& users = layers_of(instance).users();
  return std::ranges::find(users, "ec2-user", &User::name) != users.end()
             ? DiskLinks::kOfAmazonLinux
             : DiskLinks::kNone;
}

SandboxSpec SandboxSpecs::common(const std::string& name, const std::string& hostname) const {
  const bool own = context_.isolated();
  const fs::path home = context_.folder.path() / "guests" / name;
  fs::create_directories(home);
  SandboxSpec spec;
  spec.lockstep = context_.config.lockstep;
  spec.root = {.level = context_.config.level, .scratch = home, .hostname = hostname};
  // mount(8) of util-linux 2.39 and later would mount by fsopen(2), which is not trapped.
  spec.environment = {{"LANG", "C.UTF-8"}, {"LIBMOUNT_FORCE_MOUNT2", "always"}};
  fs::path commands = kCommands, programs = kPrograms;
  if (own) {
    internet_.add_files(spec,
                        name == kOperatorName ? cloud::InstanceId{} : cloud::InstanceId{name});
    spec.root.settings = context_.folder.path() / "settings";
    spec.root.binds[kCommands] = context_.folder.path() / "commands";
    spec.root.binds[kRepositories] = context_.folder.path() / "repositories";
    if (!context_.config.programs.empty())
      spec.root.binds[kPrograms] = fs::absolute(context_.config.programs);
    spec.root.files["/etc/gitconfig"] = git_config_;
    Stream identity = context_.streams.stream("machine-id", name);
    spec.root.files["/etc/machine-id"] =
        fmt::format("{:016x}{:016x}\n", identity.next(), identity.next());
    spec.environment["AWS_ENDPOINT_URL"] = std::string("http://") + kEndpointAddress;
    spec.environment["HOME"] = "/root";
  } else {
    commands = context_.folder.path() / "commands";
    if (!context_.config.programs.empty()) programs = fs::absolute(context_.config.programs);
    spec.environment["GIT_CONFIG_SYSTEM"] = context_.folder.path() / "repositories" / "gitconfig";
    spec.environment["HOME"] = spec.environment["SPOTRUN_ROOT"] = home;
    fs::create_directory(home / "tmp");
    spec.environment["TMPDIR"] = home / "tmp";
    spec.folder = home;
    spec.job_events = home / "job-events";
  }
  spec.environment["JOB_EVENTS"] = spec.job_events;
  const std::string folders =
      commands.string() + (context_.config.programs.empty() ? "" : ":" + programs.string());
  spec.environment["PATH"] = folders + ":" + kSystemPath;
  if (own) spec.root.files.merge(environment_files(spec.environment, folders));
  return spec;
}

SandboxSpec SandboxSpecs::of_operator(const std::string& script, const fs::path& scenario) const {
  SandboxSpec spec = common(kOperatorName, "operator");
  show_credentials(spec, context_.config.region);
  fs::path file = kOperatorScript;
  if (context_.isolated()) {
    spec.root.files[kOperatorScript] = "#!/bin/bash\n" + script;
    // Without files of its own the script starts in the root folder.
    spec.folder = "/";
    if (!scenario.empty()) {
      spec.root.binds[kScenario] = fs::absolute(scenario);
      spec.folder = kScenario;
    }
    set_utc(spec);
  } else {
    file = spec.root.scratch / "operator.sh";
    write_script(file, "#!/bin/bash\n" + script);
    spec.folder = scenario.empty() ? spec.root.scratch : fs::absolute(scenario);
  }
  spec.command = {"/bin/bash", file};
  return spec;
}

SandboxSpec SandboxSpecs::of_instance(const cloud::Instance& instance, const RootDisk& disk,
                                      const fs::path& restored) const {
  SandboxSpec spec = common(instance.id.value, hostname_of(instance.private_ip));
  set_image(instance, spec);
  spec.root.disk = disk;
  if (context_.isolated()) spec.root.restored = restored;
  network_.add_address(spec, instance);
  add_boot(instance, spec);
  if (context_.isolated()) set_utc(spec);
  return spec;
}

std::string SandboxSpecs::image_taker() const { return image_taker_folder() / "take_image.py"; }

fs::path SandboxSpecs::image_taker_folder() const {
  return context_.isolated() ? fs::path(kCommands) / "warm" : warm_folder();
}

fs::path SandboxSpecs::warm_folder() const { return context_.folder.path() / "commands/warm"; }

std::filesystem::path SandboxSpecs::image_folder(const cloud::InstanceId& id) const {
  return id.empty() ? fs::path() : image_of(context_.cloud_of(id).instance(id)).root;
}

// A command that starts the image's own program must not be there if the program is not.
void SandboxSpecs::set_image(const cloud::Instance& instance, SandboxSpec& spec) const {
  spec.root.image = layers_of(instance);
  if (context_.isolated() && !has_curl(spec.root.image))
    spec.root.binds[kCommands] = context_.folder.path() / "commands-without-curl";
}

SandboxSpec SandboxSpecs::of_image_taker(const cloud::InstanceId& id) const {
  SandboxSpec spec = common("image", "image");
  if (!id.empty()) spec.root.image = layers_of(context_.cloud_of(id).instance(id));
  spec.metadata = false;
  return spec;
}

SandboxSpec SandboxSpecs::of_container(const cloud::Instance& instance,
                                       const cloud::Container& container) const {
  SandboxSpec spec = common(instance.id.value, container.hostname);
  set_image(instance, spec);
  for (const std::string& mount : container.mounts)
    spec.root.shared[container.mounted_at + "/" + mount] = container.folder.path / mount;
  network_.add_address(spec, instance);
  for (const auto& [host, address] : container.hosts)
    if (host != container.hostname) spec.root.files["/etc/hosts"] += address + " " + host + "\n";
  internet_.add_trust(image_of(instance), spec);
  show_credentials(spec, context_.config.region);
  spec.environment["HOSTNAME"] = container.hostname;  // as docker does
  start_as_image_says(image_of(instance).container, container, spec);
  if (context_.isolated()) set_utc(spec);
  return spec;
}

}  // namespace sim::guest
