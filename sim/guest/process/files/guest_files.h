// Files that the simulator adds to guests: commands, and git repositories.
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

// Writes the program that starts the program of the same name from a memory image.
void write_warm_command(const std::filesystem::path& file);

// Makes git repositories from local folders, with the same commits each time. Guests clone them by
// their public URL. For each folder it makes a bare repository below `where`. If a folder is a
// repository, its commits are copied. Any other folder becomes one commit, on the branches main and
// master, whose hash depends only on the files. Returns a git configuration that redirects the URLs
// to `seen_at`, the path of `where` for guests. Throws std::runtime_error.
std::string make_repositories(const std::map<std::string, std::filesystem::path>& folder_of_url,
                              const std::filesystem::path& where,
                              const std::filesystem::path& seen_at);

}  // namespace sim::guest
