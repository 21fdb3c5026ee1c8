#include "sim/guest/services/unit_folders.h"

#include <sys/stat.h>

#include "base/files/whole_file.h"

namespace sim::guest::services {

namespace fs = std::filesystem;

namespace {

long long changed(const fs::path& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return 0;
  return found.st_mtim.tv_sec * 1000000000LL + found.st_mtim.tv_nsec;
}

}  // namespace

UnitFiles unit_files() {
  UnitFiles out;
  std::error_code none;
  for (const char* folder : kUnitFolders)
    for (const auto& entry : fs::recursive_directory_iterator(folder, none))
      out[entry.path()] = changed(entry.path());
  return out;
}

fs::path UnitFolders::file_of(const std::string& name) const {
  const auto at = name.find('@');
  const std::string general =
      at == name.npos ? "" : name.substr(0, at + 1) + name.substr(name.rfind('.'));
  for (const std::string& wanted : {name, general})
    for (const char* folder : kUnitFolders)
      if (const fs::path path = fs::path(folder) / wanted; !wanted.empty() && is_own(path))
        return path;
  return {};
}

bool UnitFolders::is_own(const fs::path& path) const {
  const long long time = changed(path);
  const auto host = hosts_.find(path);
  return time != 0 && (host == hosts_.end() || host->second != time);
}

bool UnitFolders::is_masked(const fs::path& file) {
  std::error_code no;
  return fs::read_symlink(file, no) == "/dev/null";
}

UnitFile UnitFolders::unit_of(const fs::path& file, const std::string& name) {
  std::string text = base::read_file(file).value_or("");
  std::set<fs::path> more;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(fs::path(kUnitFolders[0]) / (name + ".d"), none))
    if (entry.path().extension() == ".conf") more.insert(entry.path());
  for (const auto& path : more) text += "\n" + base::read_file(path).value_or("");
  return read_unit(text, name);
}

std::vector<fs::path> UnitFolders::links_of(const std::string& name) const {
  std::set<fs::path> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(kUnitFolders[0], none))
    if (entry.path().extension() == ".wants" && is_own(entry.path() / name))
      out.insert(entry.path() / name);
  return {out.begin(), out.end()};
}

std::set<std::string> UnitFolders::enabled() const {
  std::set<std::string> out;
  std::error_code none;
  for (const auto& folder : fs::directory_iterator(kUnitFolders[0], none))
    if (folder.path().extension() == ".wants")
      for (const auto& link : fs::directory_iterator(folder.path(), none))
        if (const auto kind = link.path().extension();
            is_own(link.path()) && (kind == ".service" || kind == ".timer"))
          out.insert(link.path().filename());
  return out;
}

bool UnitFolders::link(const fs::path& link, const fs::path& file) {
  std::error_code error;
  fs::create_directories(link.parent_path(), error);
  fs::create_symlink(file, link, error);
  return !error;
}

}  // namespace sim::guest::services
