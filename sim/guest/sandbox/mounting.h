// Mounts, with errors that name the source and the target.
#pragma once

#include <string>

namespace sim::guest {

// These throw std::system_error.
void mount_at(const char* type, const std::string& target, unsigned long flags,
              const std::string& options);
void bind_mount(const std::string& source, const std::string& target, unsigned long flags = 0);
// Makes a read-only bind mount. Mounts below it become read-only, too.
void bind_closed(const std::string& source, const std::string& target);

// Escapes a folder for the options of overlayfs.
std::string escaped_layer(const std::string& folder);

}  // namespace sim::guest
