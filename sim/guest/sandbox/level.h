// The kinds of sandboxes, from the most isolated one down to none. The rights of this process
// decide which are possible.
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
// What its guests lack, in words for people; empty at kRoot.
std::string_view lacks(Level level);
inline bool has_namespaces(Level level) { return level != Level::kPlain; }

// The best level this process may use, found by trying in a child; `why` says what stood against a
// better one (empty at kRoot).
Level best_level(std::string& why);
// Empty when this process may use the level, else what stands against it.
std::string obstacle(Level level);

// Moves the calling process into a mount namespace of its own (kUserNamespaces: and a user
// namespace, in which it is root), so that its mounts end with the process. This cannot be undone,
// and the process must have one thread.
void enter(Level level);

}  // namespace sim::guest
