// The supported settings of `#cloud-config`; the names are cloud-init's.
#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sim::guest::boot {

// An error in user data, or a setting that is not supported.
struct Warning {
  std::string source;  // as cloud-init's log names it: "cc_runcmd.py"
  std::string text;
};
using Warnings = std::vector<Warning>;

struct WriteFile {
  std::string path, content, owner = "root:root";
  int permissions = 0644;
  bool append = false;
  bool defer = false;  // until packages are installed and users are made
};

struct User {
  std::string name;
  std::vector<std::string> useradd;  // its options, ready for useradd(8)
  std::vector<std::string> sudo;     // rules
  std::vector<std::string> ssh_authorized_keys;
  bool lock_passwd = true;
};

struct PowerState {
  std::string mode;           // poweroff, reboot, halt
  std::string delay = "now";  // or "+MINUTES", as in shutdown(8)
  std::string message;
  std::string condition = "true";  // a command for sh(1): 0 is yes
};

struct CloudConfig {
  std::string bootcmd, runcmd;  // as scripts for sh(1); empty: none
  std::vector<WriteFile> write_files;
  std::vector<std::vector<std::string>> mounts;  // six fields each, as fstab(5) has them
  std::string hostname, timezone, final_message;
  std::map<std::string, std::vector<std::string>> groups;  // and their members
  std::vector<User> users;
  std::vector<std::string> ssh_authorized_keys;  // the image's own user's
  std::vector<std::string> packages;
  std::optional<PowerState> power_state;
  // The modules of a stage ("init", "config", "final") where user data lists them: their names,
  // with underscores, and how often they run. Empty: cloud-init's defaults.
  std::map<std::string, std::map<std::string, std::string>> modules;
};

// Joins the cloud-config of several parts. A later part's keys replace those of earlier parts,
// unless `merge_how` (of the part, or from the header Merge-Type) joins their lists.
class CloudConfigParts {
 public:
  void add(const std::string& text, const std::string& merge_how, Warnings& warnings);
  // The settings of all parts. `warnings` gets their errors and each key that is not supported.
  CloudConfig config(Warnings& warnings) const;

 private:
  std::map<std::string, YAML::Node> values_;  // by key
};

}  // namespace sim::guest::boot
