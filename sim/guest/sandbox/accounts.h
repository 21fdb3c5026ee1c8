// The users of a guest as AWS's images have them: accounts, homes, and the right to sudo.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/guest/sandbox/image.h"

namespace sim::guest {

// Writes into `upper`, what lies topmost in the guest: /etc/passwd, group, shadow and gshadow
// with the image's users beside those that are there (in a user namespace they have root's number,
// the only one that there is), no passwords, and a home for each with what /etc/skel has. Throws
// std::system_error, std::filesystem::filesystem_error.
void write_accounts(const ImageLayers& image, const std::filesystem::path& upper, Level level);

// Files by which sudo and login shells leave a guest what spotsim put into its environment, which
// are no variables of a real instance's, and find its commands, which are in `folders` of its PATH:
// path in the guest → contents. sudo resets all others, as its own settings say.
std::map<std::string, std::string> environment_files(
    const std::map<std::string, std::string>& environment, const std::string& folders);

}  // namespace sim::guest
