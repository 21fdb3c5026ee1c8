// Which pages of a mounted file system's files were read for the first time since its mount: by
// read(2), a mapping or sendfile(2), by whatever program. They are found in the kernel's page
// cache, which holds what was asked for and nothing else, since volumes read nothing ahead, and
// knows what it had to throw out since. So what is read again is not counted, nor is what the host
// has dropped meanwhile and reads again, nor what was written; nor are a file system's own blocks.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "sim/guest/disks/disk_speed.h"
#include "sim/guest/disks/file_events.h"
#include "sim/guest/disks/mounts.h"

namespace sim::guest {

class ReadPages {
 public:
  // `io_bytes`: pages that follow one another are one I/O up to here, as the machine's read-ahead
  // makes them.
  ReadPages(MountedFileSystem mount, std::int64_t io_bytes);

  bool deaf() const { return opened_.descriptor() < 0; }
  // Takes the names of the files that were opened; now and then, for they are kept by the kernel.
  void hear();
  // What was read since the last look, but of files that have been written to: not before
  // written(). To be called when no program can run. With `places`, too.
  PagesRead look(bool places);
  // A file's data goes to the disk: all that is new of it is taken as written, not as read.
  void written(int descriptor);
  bool mounted() { return static_cast<bool>(open_root(mount_)); }

 private:
  struct File {
    std::vector<bool> known;  // pages that were read or written
    std::int64_t next = -1;   // the byte behind the last one that was read
    std::int64_t in_io = 0;   // bytes of the I/O that ended there
    bool written = false;     // and not on the disk yet
  };
  std::vector<ByteRange> new_pages(int descriptor, File& file) const;
  void count(const ByteRange& bytes, File& file, PagesRead& read) const;

  MountedFileSystem mount_;
  FileEvents opened_;
  const std::int64_t io_bytes_;
  std::map<FileId, File> files_;
  std::set<FileId> open_;  // or were when last heard of
};

}  // namespace sim::guest
