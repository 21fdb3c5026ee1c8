#include "sim/guest/process/repositories.h"

#include <stdexcept>

#include "sim/guest/sandbox/command.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

void make_repository(const fs::path& folder, const fs::path& repository, const std::string& url) {
  if (!fs::is_directory(folder))
    throw std::runtime_error("repository " + url + ": no folder " + folder.string());
  const std::string date = "2020-01-01T00:00:00Z";
  const std::map<std::string, std::string> environment{
      {"GIT_CONFIG_GLOBAL", "/dev/null"},
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
  run_command({"git", "init", "-q", "--bare", "--initial-branch=main", repository},
              {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_NOSYSTEM", "1"}});
  run_command({"git", "-C", fs::absolute(folder), "add", "-A", "-f", "."}, environment);
  run_command({"git", "commit", "-q", "--allow-empty", "-m", "Files of " + url}, environment);
}

}  // namespace

std::string make_repositories(const std::map<std::string, fs::path>& folder_of_url,
                              const fs::path& where, const fs::path& seen_at) {
  fs::create_directories(where);
  std::string config = "[safe]\n\tdirectory = *\n";
  int number = 0;
  for (const auto& [url, folder] : folder_of_url) {
    const std::string name = std::to_string(number++);
    make_repository(folder, where / name, url);
    // git replaces the beginning of a URL: "URL.git" becomes NAME.git.
    fs::create_symlink(name, where / (name + ".git"));
    config += "[url \"file://" + (seen_at / name).string() + "\"]\n\tinsteadOf = " + url + "\n";
  }
  return config;
}

}  // namespace sim::guest
