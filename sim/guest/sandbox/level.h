// The levels of isolation of sandboxes, from complete isolation to none. The rights of this process
// determine which levels are possible.
#pragma once

#include <string>
#include <string_view>

namespace sim::guest {

// How real a guest's machine is, which depends on the rights of the simulator's user:
// - kRoot: namespaces, an overlay as root, volumes as file systems on loop devices
// - kUserNamespaces: the same without root; a volume's file system is a directory, which is
//   bind-mounted when the guest mounts the device
// - kPlain: plain processes, endpoints by environment variables, directories for volumes
enum class Level { kRoot, kUserNamespaces, kPlain };
std::string_view name(Level level);  // "root", "user-namespaces", "plain"
// A text for users that lists what guests of the level lack. Empty at kRoot.
std::string_view lacks(Level level);
inline bool has_namespaces(Level level) { return level != Level::kPlain; }

// The best level that this process can use, found by trying in a child. `why` gets the reason that
// prevents a better one (empty at kRoot).
Level best_level(std::string& why);
// The reason that prevents the level. Empty if this process can use it.
std::string obstacle(Level level);

// Moves the calling process into a mount namespace of its own (kUserNamespaces: and a user
// namespace, in which it is root), so that its mounts end with the process. This cannot be undone,
// and the process must have one thread.
void enter(Level level);

}  // namespace sim::guest
