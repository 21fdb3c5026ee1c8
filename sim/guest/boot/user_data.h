// User data as cloud-init reads it: its parts, and the stage in which each runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/guest/boot/cloud_config.h"

namespace sim::guest::boot {

struct Script {
  std::string name;  // the file name: "part-001", or the part's own name
  std::string text;
};

struct UserData {
  std::vector<Script> boothooks;  // run first, at every boot
  std::vector<Script> scripts;    // run last, once per instance, in the order of their names
  // Scripts for every boot, for each instance, or once: run before `scripts`, ordered by name.
  std::vector<Script> per_boot, per_instance, per_once;
  CloudConfig config;
  Warnings warnings;
};

// Reads scripts, cloud-config, boothooks, MIME messages of these, and gzip of any. The kinds are
// recognised as by cloud-init, by types and first lines. `bytes` is the user data in the metadata
// service. Any input has a result; damaged and ignored parts are in its warnings.
UserData read_user_data(std::string_view bytes);

}  // namespace sim::guest::boot
