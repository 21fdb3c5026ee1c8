#include "sim/guest/sandbox/accounts.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "base/process/system_call.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// Groups of administrators in Debian, Ubuntu and Amazon Linux.
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

// A user namespace has one number for all.
uid_t number_of(const User& user, Level level) {
  return level == Level::kUserNamespaces ? 0 : user.id;
}

// Puts the new lines before the existing ones: of two lines with one number the first counts. In a
// user namespace, where all users have root's number, root's line stays first.
void put_first(Lines& lines, const Lines& news, Level level) {
  Lines missing;
  for (const std::string& line : news)
    if (!has(lines, name_in(line))) missing.push_back(line);
  auto at = lines.begin();
  if (level == Level::kUserNamespaces && at != lines.end()) ++at;
  lines.insert(at, missing.begin(), missing.end());
}

Lines passwd_of(const ImageLayers& image, Level level) {
  Lines lines = lines_of(image.at("etc/passwd")), news;
  const std::string shell =
      image.at("bin/bash").empty() && image.at("usr/bin/bash").empty() ? "/bin/sh" : "/bin/bash";
  if (lines.empty()) lines.push_back("root:x:0:0:root:/root:" + shell);
  for (const User& user : image.users()) {
    news.push_back(fmt::format("{0}:x:{1}:{1}:{0}:{2}:{3}", user.name, number_of(user, level),
                               user.home(), shell));
    std::erase_if(lines, [&](const std::string& line) { return name_in(line) == user.name; });
  }
  put_first(lines, news, level);
  return lines;
}

Lines group_of(const ImageLayers& image, Level level) {
  Lines lines = lines_of(image.at("etc/group")), news;
  if (lines.empty()) lines.push_back("root:x:0:");
  if (!has(lines, "sudo") && !has(lines, "wheel")) lines.push_back("sudo:x:27:");
  for (std::string& line : lines)
    for (const User& user : image.users())
      if (kAdministrators.contains(name_in(line)))
        line += (line.ends_with(':') ? "" : ",") + user.name;
  for (const User& user : image.users()) {
    news.push_back(fmt::format("{}:x:{}:", user.name, number_of(user, level)));
    std::erase_if(lines, [&](const std::string& line) { return name_in(line) == user.name; });
  }
  put_first(lines, news, level);
  return lines;
}

// Replaced: the accounts have no passwords, and a guest must not see the host's.
Lines without_passwords(const Lines& names, const std::string& rest) {
  Lines lines;
  for (const std::string& line : names)
    if (!line.empty() && line.front() != '#') lines.push_back(name_in(line) + rest);
  return lines;
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
  const Lines passwd = passwd_of(image, level), group = group_of(image, level);
  write_account_file(upper / "etc/passwd", passwd, 0644);
  write_account_file(upper / "etc/group", group, 0644);
  write_account_file(upper / "etc/shadow", without_passwords(passwd, ":*::0:99999:7:::"), 0640);
  if (!image.at("etc/gshadow").empty())
    write_account_file(upper / "etc/gshadow", without_passwords(group, ":*::"), 0640);
  for (const char* before : {"etc/shadow-", "etc/gshadow-"})  // the host's passwords, too
    if (!image.at(before).empty()) write_account_file(upper / before, {}, 0600);
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
