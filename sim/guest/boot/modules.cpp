#include "sim/guest/boot/modules.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/files/whole_file.h"
#include "base/process/system_call.h"

namespace sim::guest::boot {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFstab = "/etc/fstab";
constexpr const char* kSudoers = "/etc/sudoers.d/90-cloud-init-users";
constexpr const char* kImageUser = "ubuntu";

// The line of a user or a group in the guest's own file; getpwnam(3) would query other services.
std::optional<std::vector<std::string>> entry_of(const char* file, const std::string& name) {
  const std::string text = base::read_file(file).value_or("");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(name + ":")) continue;
    std::vector<std::string> fields{""};
    for (const char c : line)
      if (c == ':')
        fields.emplace_back();
      else
        fields.back() += c;
    return fields;
  }
  return {};
}

std::optional<unsigned> number_of(const char* file, const std::string& name) {
  if (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos &&
      name.size() < 10)
    return static_cast<unsigned>(std::stoul(name));
  const auto entry = entry_of(file, name);
  if (!entry || entry->size() < 3) return {};
  return static_cast<unsigned>(std::stoul((*entry)[2]));
}

// "user:group", "user" or ":group"; as in cloud-init, a missing name is an error.
void change_owner(const std::string& path, const std::string& owner) {
  const auto colon = std::min(owner.find(':'), owner.size());
  const std::string user = owner.substr(0, colon);
  const std::string group = colon < owner.size() ? owner.substr(colon + 1) : "";
  const auto known = [&](const char* file, const std::string& name, const char* what) {
    if (name.empty()) return ~0U;
    const auto number = number_of(file, name);
    if (!number) throw std::runtime_error(fmt::format("Unknown {} name: {}", what, name));
    return *number;
  };
  const uid_t uid = known("/etc/passwd", user, "user");
  const gid_t gid = known("/etc/group", group, "group");
  if ((uid != ~0U && uid != geteuid()) || (gid != ~0U && gid != getegid()))
    base::checked(chown(path.c_str(), uid, gid), "changing the owner of " + path);
}

void write_keys(const std::string& name, const std::vector<std::string>& keys) {
  const auto user = entry_of("/etc/passwd", name);
  if (keys.empty() || !user || user->size() < 6) return;
  const fs::path file = fs::path((*user)[5]) / ".ssh/authorized_keys";
  std::string text = base::read_file(file).value_or("");
  for (const auto& key : keys) text += key + "\n";
  put_file(file, text, 0600);
  fs::permissions(file.parent_path(), fs::perms(0700));
  for (const fs::path& path : {file.parent_path(), file})
    change_owner(path, (*user)[2] + ":" + (*user)[3]);
}

void allow_sudo(const User& user) {
  if (user.sudo.empty()) return;
  std::string text = base::read_file(kSudoers).value_or("");
  text += "\n# User rules for " + user.name + "\n";
  for (const auto& rule : user.sudo) text += user.name + " " + rule + "\n";
  put_file(kSudoers, text, 0440);
}

void make_user(const User& user, Programs& programs, BootLog& log) {
  if (entry_of("/etc/passwd", user.name)) {
    log.debug("__init__.py", fmt::format("User {} already exists, skipping.", user.name));
  } else {
    std::vector<std::string> words{"/usr/sbin/useradd", user.name};
    words.insert(words.end(), user.useradd.begin(), user.useradd.end());
    if (const int status = programs.run(words); status != 0)
      return log.warn("util.py", fmt::format("Failed to create user {} [{}]", user.name, status));
  }
  if (user.lock_passwd) {
    std::string unheard;
    programs.run_quietly({"/usr/bin/passwd", "-l", user.name}, unheard);
  }
  allow_sudo(user);
  write_keys(user.name, user.ssh_authorized_keys);
}

}  // namespace

void put_file(const fs::path& file, const std::string& text, int mode) {
  fs::create_directories(file.parent_path());
  const base::FileDescriptor out(
      base::checked(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600),
                    "writing " + file.string()));
  std::string_view rest = text;
  while (!rest.empty())
    rest.remove_prefix(static_cast<std::size_t>(
        base::checked(write(out.get(), rest.data(), rest.size()), "writing " + file.string())));
  base::checked(fchmod(out.get(), static_cast<mode_t>(mode)), "writing " + file.string());
}

void write_files(const std::vector<WriteFile>& files, BootLog& log) {
  for (const auto& file : files) {
    const fs::path path = fs::path("/") / file.path;
    log.debug("util.py",
              fmt::format("Writing to {} - {}: [{:o}] {} bytes", path.string(),
                          file.append ? "ab" : "wb", file.permissions, file.content.size()));
    const std::string before = file.append ? base::read_file(path).value_or("") : std::string();
    put_file(path, before + file.content, file.permissions);
    change_owner(path, file.owner);
  }
}

void mount_all(const std::vector<std::vector<std::string>>& mounts, Programs& programs,
               BootLog& log) {
  std::string table = base::read_file(kFstab).value_or("");
  for (const auto& fields : mounts) {
    for (const auto& field : fields) table += field + (&field == &fields.back() ? "\n" : "\t");
    std::error_code ignored;  // "none", of swap
    if (fields[1].starts_with('/')) fs::create_directories(fields[1], ignored);
  }
  put_file(kFstab, table, 0644);
  if (const int status = programs.run({"mount", "-a"}); status != 0)
    log.warn("cc_mounts.py", fmt::format("Activating mounts: FAIL: mount -a [{}]", status));
}

void mount_fstab(Programs& programs, BootLog& log) {
  std::string said;
  if (programs.run_quietly({"mount", "-a"}, said) != 0) log.say("systemd[1]: mount -a: " + said);
}

void set_hostname(const std::string& name, BootLog& log) {
  log.debug("cc_set_hostname.py", "Setting the hostname to " + name);
  put_file("/etc/hostname", name + "\n", 0644);
  base::checked(sethostname(name.data(), name.size()), "setting the hostname to " + name);
}

void set_timezone(const std::string& name, BootLog& log) {
  const fs::path zone = fs::path("/usr/share/zoneinfo") / name;
  if (!fs::is_regular_file(zone)) throw std::runtime_error("Invalid timezone " + name);
  log.debug("cc_timezone.py", "Setting the timezone to " + name);
  put_file("/etc/timezone", name + "\n", 0644);
  fs::remove("/etc/localtime");
  fs::create_symlink(zone, "/etc/localtime");
}

void make_users(const CloudConfig& config, Programs& programs, BootLog& log) {
  for (const auto& [group, members] : config.groups)
    if (!entry_of("/etc/group", group) && programs.run({"/usr/sbin/groupadd", group}) != 0)
      log.warn("util.py", "Failed to create group " + group);
  for (const auto& user : config.users) make_user(user, programs, log);
  for (const auto& [group, members] : config.groups)
    for (const auto& member : members) {
      std::string unheard;
      if (programs.run_quietly({"/usr/sbin/usermod", "-a", "-G", group, member}, unheard) != 0)
        log.warn("__init__.py", fmt::format("Unable to add group member '{}' to group '{}'; user "
                                            "does not exist.",
                                            member, group));
    }
  write_keys(kImageUser, config.ssh_authorized_keys);
}

// There is no package archive, so only packages of the image exist.
void look_for_packages(const std::vector<std::string>& packages, Programs& programs, BootLog& log) {
  std::string missing;
  for (const auto& package : packages) {
    std::string state;
    programs.run_quietly({"dpkg-query", "-W", "-f", "${db:Status-Status}", "--", package}, state);
    if (state == "installed")
      log.debug("cc_package_update_upgrade_install.py", package + " is installed already");
    else
      missing += (missing.empty() ? "'" : ", '") + package + "'";
  }
  if (!missing.empty())
    log.warn("cc_package_update_upgrade_install.py",
             "Failed to install packages: [" + missing +
                 "]: a simulated instance has what its image has, and no package archive");
}

}  // namespace sim::guest::boot
