// The folders of unit files, and which units are enabled.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/guest/services/unit_file.h"

namespace sim::guest::services {

// Path → time of the last change, in nanoseconds.
using UnitFiles = std::map<std::filesystem::path, long long>;

// The folders of unit files on Debian's and Amazon's systems. The first folder with the unit
// counts.
inline constexpr const char* kUnitFolders[] = {"/etc/systemd/system", "/run/systemd/system",
                                               "/usr/local/lib/systemd/system",
                                               "/usr/lib/systemd/system"};

// All unit files that exist now.
UnitFiles unit_files();

// Finds the guest's units, and enables and disables them by symbolic links, as systemctl(1) does.
class UnitFolders {
 public:
  // `hosts` are the unit files of the host, which are ignored.
  explicit UnitFolders(const UnitFiles& hosts) : hosts_(hosts) {}

  // The file of NAME, or of the template for NAME@INSTANCE; empty if there is none.
  std::filesystem::path file_of(const std::string& name) const;
  static UnitFile unit_of(const std::filesystem::path& file, const std::string& name);
  static bool is_masked(const std::filesystem::path& file);

  std::set<std::string> enabled() const;  // services and timers that a target needs
  // The links that enable the unit.
  std::vector<std::filesystem::path> links_of(const std::string& name) const;
  // False if the link existed or cannot be made.
  static bool link(const std::filesystem::path& link, const std::filesystem::path& file);

 private:
  bool is_own(const std::filesystem::path& path) const;

  const UnitFiles& hosts_;
};

}  // namespace sim::guest::services
