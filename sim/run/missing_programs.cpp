#include "sim/run/missing_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

#include "base/json_text.h"
#include "base/whole_file.h"
#include "sim/guest/boot/commands.h"
#include "sim/run/script_commands.h"

namespace sim::run {
namespace {

namespace fs = std::filesystem;

// What somebody has written; larger files, an installer that holds its programs, are not read.
bool is_small_file(const fs::directory_entry& entry) {
  constexpr std::uintmax_t kMostBytes = 65536;
  std::error_code gone;
  return entry.is_regular_file(gone) && entry.file_size(gone) <= kMostBytes;
}

// The filesystem that spotrun makes for a job file; empty: the file is none.
std::string filesystem_of(const fs::path& file) {
  const std::string text = base::read_file(file).value_or("");
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("volume") || !json.contains("train")) return {};
  const std::string filesystem = base::text_of(json["volume"], "filesystem");
  return filesystem.empty() ? "xfs" : filesystem;  // as docs/spotrun.md has it
}

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json" && entry.is_regular_file(ignored))
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

bool calls_aws(const std::string& script) {
  return std::ranges::any_of(commands_of(script),
                             [](const ScriptCommand& command) { return command.word == "aws"; });
}

// Whether the operator's script, or a file beside it, such as user data, has crontabs.
bool uses_cron(const Scenario& scenario) {
  const auto has_crontab = [](const std::string& text) {
    return text.find("crontab") != text.npos || text.find("/etc/cron.") != text.npos;
  };
  if (has_crontab(scenario.operator_script)) return true;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(scenario.operator_folder, ignored))
    if (is_small_file(entry) && has_crontab(base::read_file(entry.path()).value_or("")))
      return true;
  return false;
}

// The folder's files that are scripts for a shell. What may not be read is left out.
std::vector<fs::path> shell_scripts(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      failed);
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    if (!is_small_file(*at)) continue;  // others may block: a FIFO waits for its writer
    std::ifstream in(at->path());
    std::string first;
    if (std::getline(in, first) && first.starts_with("#!") &&
        (first.ends_with("sh") || first.find("sh ") != std::string::npos))
      out.push_back(at->path());
  }
  std::ranges::sort(out);
  return out;
}

// Where guests find programs: on this machine, in the images' folders, and among spotsim's own.
class GuestPrograms {
 public:
  GuestPrograms(const Scenario& scenario, const std::vector<fs::path>& folders)
      : folders_(folders) {
    const auto take = [&](const GuestImage& image) {
      host_ = host_ || image.host_packages;
      if (!image.root.empty()) roots_.insert(image.root);
    };
    if (scenario.cloud.any_image) take(scenario.guest.other_image);
    for (const auto& [id, image] : scenario.guest.images) take(image);
  }

  bool has(const std::string& program) const {
    static const std::set<std::string> kOwn{"halt",     "mount",   "poweroff",  "reboot",
                                            "shutdown", "spotrun", "spottrain", "sudo"};
    if (program.find('/') != std::string::npos)
      return !is_of_image(program) || (host_ && is_file(program)) || in_roots(program);
    if (kOwn.contains(program) || of_a_machine(program)) return true;
    return std::ranges::any_of(folders_, [&](const fs::path& folder) {
      return (host_ && is_file(folder / program)) || in_roots(folder / program);
    });
  }
  std::string in_words() const {
    return fmt::format("{}{}", host_ ? "this machine" : "no program of this machine",
                       roots_.empty() ? "" : fmt::format(" and {}", fmt::join(names(), ", ")));
  }

 private:
  // Where programs of an image are; others may be on a volume, or made by the script.
  bool is_of_image(const fs::path& program) const {
    const fs::path folder = program.parent_path();
    if (std::ranges::find(folders_, folder) != folders_.end()) return true;
    const bool own =
        program.string().starts_with("/home/") || program.string().starts_with("/opt/");
    return own && folder.filename() == "bin";
  }
  static bool of_a_machine(const std::string& program) {
    return std::ranges::any_of(guest::boot::commands() | std::views::keys,
                               [&](const fs::path& own) { return own.filename() == program; });
  }
  static bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored)) && !fs::is_directory(path, ignored);
  }
  bool in_roots(const fs::path& path) const {
    return std::ranges::any_of(
        roots_, [&](const fs::path& root) { return is_file(root / path.relative_path()); });
  }
  std::vector<std::string> names() const { return {roots_.begin(), roots_.end()}; }

  const std::vector<fs::path>& folders_;
  std::set<fs::path> roots_;
  bool host_ = false;
};

}  // namespace

std::vector<std::string> missing_programs(const Scenario& scenario,
                                          const std::vector<fs::path>& folders) {
  std::vector<std::string> missing;
  const auto has = [&](const std::string& program) {
    std::error_code ignored;
    return std::ranges::any_of(folders, [&](const fs::path& folder) {
      return fs::is_regular_file(folder / program, ignored);
    });
  };
  for (const fs::path& file : json_files(scenario.operator_folder)) {
    const std::string filesystem = filesystem_of(file);
    if (!filesystem.empty() && !has("mkfs." + filesystem))
      missing.push_back(fmt::format(
          "{}: volume.filesystem: found {}, expected one that this machine can make: there is no "
          "mkfs.{}",
          file.string(), filesystem, filesystem));
  }
  if (!scenario.code.empty() && !has("git"))
    missing.emplace_back("code: expected git on this machine, which instances clone it with");
  if (calls_aws(scenario.operator_script) && !has("aws"))
    missing.emplace_back("operator.script: calls aws, expected aws-cli on this machine");
  if (uses_cron(scenario) && !has("cron"))
    missing.emplace_back("operator: has crontabs, expected cron on this machine to run them");
  const GuestPrograms programs(scenario, folders);
  for (const fs::path& file : shell_scripts(scenario.operator_folder)) {
    std::set<std::string> told;
    for (const ScriptCommand& command : commands_of(base::read_file(file).value_or("")))
      if (!programs.has(command.word) && told.insert(command.word).second)
        missing.push_back(fmt::format("{}:{}: calls {}, which is not among the programs of {}",
                                      file.string(), command.line, command.word,
                                      programs.in_words()));
  }
  return missing;
}

}  // namespace sim::run
