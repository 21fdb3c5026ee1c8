// The users of a guest as AWS's images have them: accounts, homes, and the right to sudo.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/guest/sandbox/image.h"

namespace sim::guest {

// Writes accounts into `upper`, the topmost layer of the guest: /etc/passwd, group, shadow and
// gshadow with the image's users added, no passwords, and a home for each with the files of
// /etc/skel. In a user namespace all users have root's number, the only one that exists there.
// Throws std::system_error, std::filesystem::filesystem_error.
void write_accounts(const ImageLayers& image, const std::filesystem::path& upper, Level level);

// Files that make sudo and login shells keep spotsim's environment variables, which a real instance
// does not have, and find its commands in `folders`: path in the guest → contents. sudo resets all
// other variables, as its settings demand.
std::map<std::string, std::string> environment_files(
    const std::map<std::string, std::string>& environment, const std::string& folders);

}  // namespace sim::guest
