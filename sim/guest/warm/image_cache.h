// Memory images in files: in memory for the programs that start from them, and on the disk, so that
// a later run continues from the image of an earlier one.
#pragma once

#include <filesystem>
#include <string>

#include "base/files/file_descriptor.h"

namespace sim::guest::warm {

// The file of an image in memory, while it is written. If this process may mount file systems, the
// file has large pages. Then a program that maps it needs less processor time for page faults.
class ImageInMemory {
 public:
  ImageInMemory();  // throws std::system_error
  int descriptor() const { return file_.get(); }
  // The complete file. From now on nobody can change it.
  base::FileDescriptor finish();

 private:
  base::FileDescriptor mount_;  // empty: the file is a sealed memfd later
  base::FileDescriptor file_;
};

// The folder of this user's images: $XDG_CACHE_HOME/spotsim, else ~/.cache/spotsim. It is made with
// the permissions 0700 if it does not exist. Throws std::runtime_error or std::system_error if
// there can be no such folder, or if other users could change its files.
std::filesystem::path cache_folder();

// The properties of this machine and program on which images depend: the kernel, the processor,
// and the file of the running program.
std::string machine_and_program();

// The file of one image. Any number of processes may use it at the same time.
class ImageCache {
 public:
  // An image serves everything that has the same key. The file keeps the whole key.
  ImageCache(std::filesystem::path folder, std::string key);

  // The image as a file in memory that nobody can change. Empty if there is no file, or if the file
  // is truncated or changed, has another key, or could have been written by another user. Such a
  // file stays until keep() replaces it.
  base::FileDescriptor find() const;

  // Writes the image, and removes all images but those that were used last. Throws
  // std::system_error; the folder then is as it was before.
  void keep(int image) const;

 private:
  std::filesystem::path file_;
  std::string key_;
};

}  // namespace sim::guest::warm
