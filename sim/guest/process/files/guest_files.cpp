#include "sim/guest/process/files/guest_files.h"

#include <fstream>
#include <stdexcept>
#include <string>

#include "base/process/process.h"
#include "sim/guest/boot/commands.h"
#include "sim/guest/process/sudo_command.h"
#include "sim/guest/warm/programs.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAws = R"(#!/bin/sh
# The AWS CLI against the simulated endpoint; where none is named, by TLS under AWS's own names.
for aws in /usr/local/bin/aws /usr/bin/aws; do
  [ -x "$aws" ] || continue
  start=${0%/*}/warm/aws
  [ -x "$start" ] || start=
  exec $start "$aws" ${AWS_ENDPOINT_URL:+--endpoint-url "$AWS_ENDPOINT_URL"} "$@"
done
echo "aws: not installed on the host that simulates this machine" >&2
exit 127
)";

constexpr const char* kSudo = R"(#!/bin/sh
# Guests have the host's users and none of their own: runs the command as it is.
while [ $# -gt 0 ]; do
  case $1 in
    -u|-g|--user|--group) shift 2 ;;
    --) shift; break ;;
    -*) shift ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || exec "${SHELL:-/bin/sh}"
exec env "$@"
)";

// libmount would want a loop device for a regular file, unless it does not know the type.
constexpr const char* kMount = R"(#!/bin/sh
# Volumes are directories here: tells mount(8) not to look at the device.
volume() { /bin/mount -i -n -t spotsim-volume "$@"; }
# The device of a volume that fstab(5) names so.
device() {
  case $1 in
    UUID=*|LABEL=*)
      for image in /dev/xvd* /dev/nvme*; do
        tag=$(blkid -s "${1%%=*}" -o value "$image")
        [ "$tag" = "${1#*=}" ] && echo "$image" && return
      done ;;
    /dev/xvd*|/dev/sd*|/dev/nvme*) echo "$1" ;;
  esac
}
# Of fstab's volumes all, or the one at a folder; like mount(8) goes on behind one that fails.
from_fstab() {
  failed=0
  while read -r what where type options rest; do
    case $what in ''|\#*) continue ;; esac
    case ,$options, in *,noauto,*) [ -n "$1" ] || continue ;; esac
    [ -z "$1" ] || [ "$where" = "$1" ] || continue
    [ -d "$where" ] && mountpoint -q "$where" && continue
    image=$(device "$what")
    case ,$options, in *,nofail,*) [ -e "${image:-$what}" ] || continue ;; esac
    if [ -n "$image" ]; then
      volume "$image" "$where" || failed=$?
    elif [ -d "$where" ]; then
      /bin/mount "$where" || failed=$?
    fi
  done </etc/fstab
  return $failed
}
case "$*" in
  -a|--all) from_fstab ''; exit ;;
  /*) if [ $# = 1 ] && [ -d "$1" ]; then from_fstab "$1"; mountpoint -q "$1" && exit; fi ;;
esac
for word in "$@"; do
  case $word in
    /dev/xvd*|/dev/sd*|/dev/nvme*) volume "$@"; exit ;;
  esac
done
exec /bin/mount "$@"
)";

constexpr const char* kTrust = "[safe]\n\tdirectory = *\n";

void write_command(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file.string());
  fs::permissions(file, fs::perms(0755));
}

using Variables = std::map<std::string, std::string>;

void git(std::vector<std::string> words, const Variables& environment) {
  words.insert(words.begin(), "git");
  const base::ProcessEnd end = base::run_process({.argv = words, .environment = environment});
  if (end.status == 0) return;
  std::string line;
  for (const auto& word : words) line += word + " ";
  throw std::runtime_error(line + "failed: " + end.errors);
}

bool is_repository(const fs::path& folder) {
  return fs::exists(folder / ".git") ||
         (fs::is_directory(folder / "objects") && fs::is_regular_file(folder / "HEAD"));
}

// A folder that is no repository has no branches: it gets the two names that default ones have.
void make_repository(const fs::path& folder, const fs::path& repository, const std::string& url) {
  if (!fs::is_directory(folder))
    throw std::runtime_error("repository " + url + ": no folder " + folder.string());
  const std::string date = "2020-01-01T00:00:00Z";
  const Variables environment{{"GIT_CONFIG_GLOBAL", "/dev/null"},
                              {"GIT_CONFIG_NOSYSTEM", "1"},
                              {"GIT_AUTHOR_NAME", "spotsim"},
                              {"GIT_AUTHOR_EMAIL", "spotsim@localhost"},
                              {"GIT_COMMITTER_NAME", "spotsim"},
                              {"GIT_COMMITTER_EMAIL", "spotsim@localhost"},
                              {"GIT_AUTHOR_DATE", date},
                              {"GIT_COMMITTER_DATE", date},
                              {"GIT_DIR", repository.string()},
                              {"GIT_WORK_TREE", fs::absolute(folder).string()},
                              {"GIT_INDEX_FILE", (repository / "index").string()}};
  git({"init", "-q", "--bare", "--initial-branch=main", repository},
      {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_NOSYSTEM", "1"}});
  git({"-C", fs::absolute(folder), "add", "-A", "-f", "."}, environment);
  git({"commit", "-q", "--allow-empty", "-m", "Files of " + url}, environment);
  git({"branch", "master"}, environment);
}

// With its branches and tags, and as they are committed. `trust`: a file for a configuration of
// git, which refuses another user's repository otherwise.
void copy_repository(const fs::path& folder, const fs::path& repository, const fs::path& trust) {
  std::ofstream(trust) << kTrust;
  git({"clone", "-q", "--bare", "--no-hardlinks", fs::absolute(folder), repository},
      {{"GIT_CONFIG_GLOBAL", trust}, {"GIT_CONFIG_NOSYSTEM", "1"}});
}

}  // namespace

void write_guest_commands(const fs::path& folder, Level level, bool warm_aws) {
  fs::create_directories(folder);
  if (warm_aws) {
    fs::create_directory(folder / "warm");
    write_command(folder / "warm/aws", std::string(warm::starter()));
    write_command(folder / "warm/take_image.py", std::string(warm::image_taker()));
  }
  write_command(folder / "aws", kAws);
  for (const auto& [path, text] : boot::commands())
    write_command(folder / fs::path(path).filename(), text);
  if (level == Level::kPlain)
    write_command(folder / "sudo", kSudo);
  else if (level == Level::kUserNamespaces || !fs::exists("/usr/bin/sudo"))
    write_command(folder / "sudo", std::string(sudo_command()));
  if (level != Level::kRoot) write_command(folder / "mount", kMount);
}

void write_warm_command(const fs::path& file) { write_command(file, std::string(warm::starter())); }

std::string make_repositories(const std::map<std::string, fs::path>& folder_of_url,
                              const fs::path& where, const fs::path& seen_at) {
  fs::create_directories(where);
  std::string config = kTrust;
  int number = 0;
  for (const auto& [url, folder] : folder_of_url) {
    const std::string name = std::to_string(number++);
    if (is_repository(folder))
      copy_repository(folder, where / name, where / "trust");
    else
      make_repository(folder, where / name, url);
    // git replaces the beginning of a URL: "URL.git" becomes NAME.git.
    fs::create_symlink(name, where / (name + ".git"));
    const std::string beginning = url.ends_with(".git") ? url.substr(0, url.size() - 4) : url;
    config +=
        "[url \"file://" + (seen_at / name).string() + "\"]\n\tinsteadOf = " + beginning + "\n";
  }
  return config;
}

}  // namespace sim::guest
