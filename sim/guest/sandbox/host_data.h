// The host's folders hold programs, which guests share, and data, which guests must not read.
#pragma once

#include <filesystem>
#include <string>

namespace sim::guest {

// Whether guests see this folder of the host's root folder: programs and their settings.
bool has_programs(const std::string& name);

// Needs level root. Fills the empty folder `layer`, an overlay layer that lies over the host's
// folders and hides their data. A file or folder counts as data if not every user of the host may
// read it, or if it is a file of /var/log. Programs that everybody may run and sudo's rules are
// exceptions. A hidden file does not exist in the guest; a hidden folder exists and is empty. /usr,
// except /usr/local, is not examined: it comes from packages. Throws std::system_error.
void hide_host_data(const std::filesystem::path& layer);

}  // namespace sim::guest
