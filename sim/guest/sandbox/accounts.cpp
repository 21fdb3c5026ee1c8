#include "sim/guest/sandbox/accounts.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "base/system_call.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// Groups whose members are administrators: Debian's and Ubuntu's, Amazon Linux's.
const std::set<std::string> kAdministrators{"adm", "sudo", "wheel"};

using Lines = std::vector<std::string>;

// Empty where there is none, or it may not be read.
Lines lines_of(const std::vector<fs::path>& files) {
  Lines out;
  if (files.empty()) return out;
  std::ifstream in(files.front());
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string name_in(const std::string& line) { return line.substr(0, line.find(':')); }

bool has(const Lines& lines, const std::string& name) {
  return std::ranges::any_of(lines, [&](const auto& line) { return name_in(line) == name; });
}

void write_account_file(const fs::path& file, const Lines& lines, mode_t mode) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  for (const std::string& line : lines) out << line << '\n';
  out.close();
  if (!out) base::throw_errno("writing " + file.string());
  fs::permissions(file, fs::perms(mode));
}

// Before those that are there, of which one may have the same number: it is the first that counts.
void put_first(Lines& lines, const Lines& news) {
  Lines missing;
  for (const std::string& line : news)
    if (!has(lines, name_in(line))) missing.push_back(line);
  lines.insert(lines.begin(), missing.begin(), missing.end());
}

Lines passwd_of(const ImageLayers& image) {
  Lines lines = lines_of(image.at("etc/passwd")), news;
  const std::string shell =
      image.at("bin/bash").empty() && image.at("usr/bin/bash").empty() ? "/bin/sh" : "/bin/bash";
  if (lines.empty()) lines.push_back("root:x:0:0:root:/root:" + shell);
  for (const User& user : image.users()) {
    news.push_back(
        fmt::format("{0}:x:{1}:{1}:{0}:{2}:{3}", user.name, user.id, user.home(), shell));
    std::erase_if(lines, [&](const std::string& line) { return name_in(line) == user.name; });
  }
  put_first(lines, news);
  return lines;
}

Lines group_of(const ImageLayers& image) {
  Lines lines = lines_of(image.at("etc/group")), news;
  if (lines.empty()) lines.push_back("root:x:0:");
  if (!has(lines, "sudo") && !has(lines, "wheel")) lines.push_back("sudo:x:27:");
  for (std::string& line : lines)
    for (const User& user : image.users())
      if (kAdministrators.contains(name_in(line)))
        line += (line.ends_with(':') ? "" : ",") + user.name;
  for (const User& user : image.users()) {
    news.push_back(fmt::format("{}:x:{}:", user.name, user.id));
    std::erase_if(lines, [&](const std::string& line) { return name_in(line) == user.name; });
  }
  put_first(lines, news);
  return lines;
}

// Made anew: nobody has a password, and the host's are none of a guest's business.
Lines shadow_of(const Lines& passwd) {
  Lines lines;
  for (const std::string& line : passwd)
    if (!line.empty() && line.front() != '#') lines.push_back(name_in(line) + ":*::0:99999:7:::");
  return lines;
}

// Without root the folders of a home that are another user's on the host could not be written to:
// their like lie over them.
void make_folders(const fs::path& from, const fs::path& to) {
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (const auto& entry : fs::recursive_directory_iterator(from, kOptions)) {
    struct stat as {};
    if (lstat(entry.path().c_str(), &as) != 0 || !S_ISDIR(as.st_mode) || as.st_uid == geteuid())
      continue;
    const fs::path made = to / entry.path().lexically_relative(from);
    fs::create_directories(made);
    fs::permissions(made, fs::perms(as.st_mode & 07777));
  }
}

// What the image has in a home stays as it is.
void make_home(const ImageLayers& image, const User& user, const fs::path& upper, Level level) {
  const fs::path home = upper.string() + user.home();
  const std::string path = user.home().substr(1);
  const auto give = [&](const fs::path& file) {
    if (level == Level::kRoot)
      base::checked(lchown(file.c_str(), user.id, user.id), "giving away " + file.string());
  };
  fs::create_directories(home);
  const auto own = image.at(path);
  if (!own.empty() && level == Level::kUserNamespaces) make_folders(own.front(), home);
  fs::permissions(home, own.empty() ? fs::perms(0755) : fs::status(own.front()).permissions());
  give(home);
  const auto skeletons = image.at("etc/skel");
  if (skeletons.empty()) return;
  for (const auto& entry : fs::recursive_directory_iterator(skeletons.front())) {
    const fs::path name = entry.path().lexically_relative(skeletons.front());
    if (!image.at(path + "/" + name.string()).empty()) continue;
    if (fs::is_directory(entry.symlink_status()))
      fs::create_directories(home / name);
    else
      fs::copy(entry.path(), home / name, fs::copy_options::copy_symlinks);
    give(home / name);
  }
}

}  // namespace

void write_accounts(const ImageLayers& image, const fs::path& upper, Level level) {
  const Lines passwd = passwd_of(image);
  write_account_file(upper / "etc/passwd", passwd, 0644);
  write_account_file(upper / "etc/group", group_of(image), 0644);
  write_account_file(upper / "etc/shadow", shadow_of(passwd), 0640);
  Lines rules;
  for (const User& user : image.users()) rules.push_back(user.name + " ALL=(ALL) NOPASSWD:ALL");
  write_account_file(upper / "etc/sudoers.d/90-cloud-init-users", rules, 0440);
  for (const User& user : image.users()) make_home(image, user, upper, level);
}

std::map<std::string, std::string> environment_files(
    const std::map<std::string, std::string>& environment, const std::string& folders) {
  std::string kept, exported;
  for (const auto& [name, value] : environment) {
    if (name == "PATH" || name == "HOME" || name == "LANG") continue;
    kept += (kept.empty() ? "" : " ") + name;
    exported += fmt::format("export {0}=\"${{{0}-{1}}}\"\n", name, value);
  }
  return {{"/etc/sudoers.d/spotsim", fmt::format("Defaults env_keep += \"{}\"\n"
                                                 "Defaults secure_path=\"{}\"\n",
                                                 kept, environment.at("PATH"))},
          {"/etc/profile.d/spotsim.sh", exported + fmt::format("PATH=\"{}:$PATH\"\n", folders)}};
}

}  // namespace sim::guest
