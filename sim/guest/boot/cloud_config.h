// What `#cloud-config` asks for, of what is done here; the names are cloud-init's.
#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sim::guest::boot {

// What is wrong with user data, or is not done here.
struct Warning {
  std::string source;  // as cloud-init's log names it: "cc_runcmd.py"
  std::string text;
};
using Warnings = std::vector<Warning>;

struct WriteFile {
  std::string path, content, owner = "root:root";
  int permissions = 0644;
  bool append = false;
  bool defer = false;  // until packages are there and users are made
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
  std::string delay = "now";  // or "+MINUTES", as shutdown(8) has it
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
  // By stage ("init", "config", "final"), where user data has a list of modules: their names, with
  // underscores, and how often they run; empty: as they are.
  std::map<std::string, std::map<std::string, std::string>> modules;
};

// cloud-config as parts bring it: the keys of later ones take the place of earlier ones', unless
// `merge_how` (the part's own, or from the header Merge-Type) joins their lists.
class CloudConfigParts {
 public:
  void add(const std::string& text, const std::string& merge_how, Warnings& warnings);
  // What all of them ask for; `warnings` has what is wrong with it, and each key that is not done.
  CloudConfig config(Warnings& warnings) const;

 private:
  std::map<std::string, YAML::Node> values_;  // by key
};

}  // namespace sim::guest::boot
