// An instance's boot: its user data, as cloud-init runs it (sim/guest/boot).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "sim/events/event.h"
#include "sim/guest/boot/cloud_init.h"
#include "sim/guest/boot/commands.h"
#include "sim/guest/boot/cron.h"
#include "sim/guest/boot/image_programs.h"
#include "sim/guest/process/parts/sandbox_specs.h"

namespace sim::guest {

namespace fs = std::filesystem;

namespace {

// apt(8) knows no archive: those that this machine uses do not exist for guests. What the image
// names itself, and the user data, is asked (`urls`).
void forget_archives(const Image& image, Level level, std::map<std::string, std::string>& files) {
  constexpr const char* kApt = "/etc/apt";
  if (!image.host_packages || !fs::is_directory(kApt)) return;
  if (level == Level::kUserNamespaces)  // it would look whether it has become another user
    files["/etc/apt/apt.conf.d/99one-user"] = "APT::Sandbox::User \"root\";\n";
  std::vector<fs::path> sources{fs::path(kApt) / "sources.list"};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(fs::path(kApt) / "sources.list.d", none))
    if (const auto kind = entry.path().extension(); kind == ".list" || kind == ".sources")
      sources.push_back(entry.path());
  for (const fs::path& source : sources)
    if (image.root.empty() || !fs::exists(image.root / source.relative_path()))
      files[source] = "# no archive\n";
}

// Programs of EC2's images, over any of this machine's that a guest would find before them. Those
// that the image's own folder has stay.
void add_image_programs(const Image& image, std::map<std::string, std::string>& files) {
  if (!image.host_packages) return;
  const fs::path folders[] = {"usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin"};
  for (const auto& [path, text] : boot::image_programs()) {
    const std::string name = fs::path(path).filename();
    const auto has = [&name](const fs::path& root) {
      return [&](const fs::path& folder) { return fs::exists(root / folder / name); };
    };
    if (!image.root.empty() && std::ranges::any_of(folders, has(image.root))) continue;
    files[path] = text;
    for (const fs::path& folder : folders)
      if (has("/")(folder)) files["/" / folder / name] = text;
  }
}

}  // namespace

void SandboxSpecs::add_boot(const cloud::Instance& instance, SandboxSpec& spec) const {
  const std::string& name = instance.id.value;
  boot::Boot boot{.instance_id = name,
                  .user_data = instance.spec.user_data,
                  .parts = boot::read_user_data(instance.spec.user_data),
                  .now = context_.simulation.now()};
  if (context_.isolated()) boot.host_units = services::unit_files();
  for (const auto& warning : boot.parts.warnings)
    context_.log.append(events::GuestUserData{.time = context_.simulation.now(),
                                              .machine = name,
                                              .by = warning.source,
                                              .warning = warning.text});
  if (context_.isolated()) {
    const Image& image = image_of(instance);
    internet_.add_trust(image, spec);
    forget_archives(image, context_.config.level, spec.root.files);
    // As on EC2, where a script finds no HOME.
    spec.environment.erase("HOME");
    spec.root.console = consoles_.of(name).path();
    spec.root.console_log = boot::kOutputLog;
    // Where sudo and cron look for them, too.
    spec.root.files.insert(boot::commands().begin(), boot::commands().end());
    add_image_programs(image, spec.root.files);
    std::map<std::string, uid_t> users;
    for (const User& user : image.users) users[user.name] = user.id;
    boot.image_cron = boot::cron_files_of(image.root, users);
    if (image.root.empty() || !fs::exists(image.root / "etc/crontab"))
      spec.root.files["/etc/crontab"] = boot::kCrontab;
    spec.root.files["/var/log/wtmp"] = "";
    spec.root.files["/etc/fstab"] = "# What `mount -a` mounts; the root disk is there.\n";
    // So that a guest whose users are not the host's may write there, too.
    spec.root.files["/var/lib/cloud/instances/" + name + "/user-data.txt"] = "";
    for (const char* target : {"multi-user", "timers"})
      spec.root.files[std::string("/etc/systemd/system/") + target + ".target.wants/.ours"] = "";
  } else {
    boot.root = spec.root.scratch;
    fs::create_directories(boot.root / "var/log");
    fs::create_symlink(consoles_.of(name).path(),
                       boot.root / fs::path(boot::kOutputLog).relative_path());
  }
  spec.program = [boot = std::move(boot)](const auto& environment, const Reboot* reboot) {
    boot::Boot next = boot;
    if (reboot) {
      next.now = reboot->now;
      next.up_after = reboot->takes;
      const std::string_view user_data{reboot->user_data.data(), reboot->user_data_size};
      if (user_data != boot.user_data) {
        next.user_data = user_data;
        next.parts = boot::read_user_data(user_data);
      }
    }
    return boot::run(std::move(next), environment);
  };
}

}  // namespace sim::guest
