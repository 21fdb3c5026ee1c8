// Faults of a mounted file system. `root`: an open folder, the file system's root.
#pragma once

namespace sim::guest {

// The file in the file system's root that fills the remaining space.
inline constexpr const char* kFiller = ".disk-full";
void fill(int root);
void make_room(int root);  // removes the file

// Remounts with `ro`. False if the kernel refuses because a file is open for writing.
bool make_read_only(int root);
// Makes reads and writes fail with EIO until the volume is mounted again. Earlier writes remain.
void shut_down(int root);

}  // namespace sim::guest
