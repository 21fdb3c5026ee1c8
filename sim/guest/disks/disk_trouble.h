// What goes wrong with a filesystem that is mounted. `root`: an open folder, its root.
#pragma once

namespace sim::guest {

// The file in a filesystem's root that takes all the space that was left.
inline constexpr const char* kFiller = ".disk-full";
void fill(int root);
void make_room(int root);  // removes it

// As a remount with `ro`. Where that is refused, as a file is open for writing, false.
bool make_read_only(int root);
// Reads and writes get EIO until the volume is mounted again. Earlier writes stay.
void shut_down(int root);

}  // namespace sim::guest
