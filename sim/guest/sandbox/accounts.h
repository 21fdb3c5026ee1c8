// The users of a guest as AWS's images have them: accounts, homes, and the right to sudo.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/guest/sandbox/image.h"

namespace sim::guest {

// Writes accounts into `upper`, the topmost layer of the guest. /etc/passwd, group, shadow and
// gshadow get the image's users, without passwords. Each user gets a home with the files of
// /etc/skel. In a user namespace all users have root's number, the only one that exists there.
// Throws std::system_error, std::filesystem::filesystem_error.
void write_accounts(const ImageLayers& image, const std::filesystem::path& upper, Level level);

// Files for sudo and login shells: path in the guest → contents. With them both keep spotsim's
// environment variables, which a real instance does not have, and find its commands in `folders`.
// sudo resets all other variables, as its settings demand.
std::map<std::string, std::string> environment_files(
    const std::map<std::string, std::string>& environment, const std::string& folders);

}  // namespace sim::guest
