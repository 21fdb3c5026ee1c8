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

// Files by which sudo and login shells leave a guest what spotsim put into its environment, which
// are no variables of a real instance's, and find its commands, which are in `folders` of its PATH:
// path in the guest → contents. sudo resets all others, as its own settings say.
std::map<std::string, std::string> environment_files(
    const std::map<std::string, std::string>& environment, const std::string& folders);

}  // namespace sim::guest
