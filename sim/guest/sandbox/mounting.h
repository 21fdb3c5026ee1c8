// mount(2) with errors that say what was being mounted where.
#pragma once

#include <string>

namespace sim::guest {

// These throw std::system_error.
void mount_at(const char* type, const std::string& target, unsigned long flags,
              const std::string& options);
void bind_mount(const std::string& source, const std::string& target, unsigned long flags = 0);
// A bind mount through which nothing can be changed, nor in the mounts below it.
void bind_closed(const std::string& source, const std::string& target);

// A folder as overlayfs's options name it.
std::string escaped_layer(const std::string& folder);

}  // namespace sim::guest
