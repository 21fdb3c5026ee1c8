// Finds the pages of a mounted file system's files that were read for the first time since the
// mount, by read(2), a mapping or sendfile(2) of any program. It looks into the kernel's page
// cache, which has exactly the requested pages, because volumes do not read ahead, and which
// remembers evicted ones. So these do not count: repeated reads, reads of pages that the host had
// dropped, written pages, and the file system's own blocks.
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
  // `io_bytes`: consecutive pages are one I/O up to this size, as with the machine's read-ahead.
  ReadPages(MountedFileSystem mount, std::int64_t io_bytes);

  bool deaf() const { return opened_.descriptor() < 0; }
  // Takes the names of opened files from the kernel, which stores them. Call it now and then.
  void hear();
  // The pages read since the last look. Files with unwritten data are skipped until written(). Call
  // it only when no program can run. With `places` it also returns their places.
  PagesRead look(bool places);
  // The file's data goes to the disk. New pages count as written, not as read.
  void written(int descriptor);
  bool mounted() { return static_cast<bool>(open_root(mount_)); }

 private:
  struct File {
    std::vector<bool> known;  // pages that were read or written
    std::int64_t next = -1;   // the byte after the last one that was read
    std::int64_t in_io = 0;   // bytes of the I/O that ended at `next`
    bool written = false;     // written, but not on the disk yet
  };
  std::vector<ByteRange> new_pages(int descriptor, File& file) const;
  void count(const ByteRange& bytes, File& file, PagesRead& read) const;

  MountedFileSystem mount_;
  FileEvents opened_;
  const std::int64_t io_bytes_;
  std::map<FileId, File> files_;
  std::set<FileId> open_;  // open now, or at the last look
};

}  // namespace sim::guest
