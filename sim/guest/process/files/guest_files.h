// What guests find that the host has not: commands, and git repositories.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/guest/sandbox/level.h"

namespace sim::guest {

// Writes small commands into `folder`, which comes first on a guest's PATH. They replace commands
// of the host that would not work in a sandbox:
// - aws, with the endpoint's URL, which the version in Debian 12 does not read from the environment
// - shutdown, systemctl and the others of boot/commands.h
// - sudo, if the host has none that would work
// - mount, if volumes are not block devices
//
// `warm_aws` also writes the program that starts aws-cli from memory images.
void write_guest_commands(const std::filesystem::path& folder, Level level, bool warm_aws);

// Makes git repositories from local folders, which guests clone by their public URL, with the same
// commits each time. For each folder it makes a bare repository below `where`. A folder that is a
// repository gives a copy of its commits. Other folders give one commit, on the branches main and
// master, whose hash depends only on the files. Returns a git configuration that redirects the URLs
// to `seen_at`, the path of `where` for guests. Throws std::runtime_error.
std::string make_repositories(const std::map<std::string, std::filesystem::path>& folder_of_url,
                              const std::filesystem::path& where,
                              const std::filesystem::path& seen_at);

}  // namespace sim::guest
