// The random numbers that a guest reads from files: /dev/random, /dev/urandom and
// /proc/sys/kernel/random/uuid. The kernel's files cannot be seeded, so each is replaced by a FUSE
// file system of one file. A thread of the simulator answers reads from streams of the run's seed.
// A FIFO or a prepared file could not do this: any number of programs may read any number of bytes.
// The thread sees no calls on other files.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/kernel/random.h"

namespace sim::guest {

// A UUID of version 4, as uuidgen(1) prints it.
std::string random_uuid(Stream& stream);

// The connections to the kernel through which the simulator answers reads. Made in a guest's init.
struct RandomFiles {
  base::FileDescriptor bytes, uuid;

  // Opens the host's /dev/fuse. Call it before the root changes. Empty if the host has no FUSE or
  // refuses to open the device.
  static RandomFiles open();
  // Mounts the files in the guest's root. Call it with the rights and the user namespace that
  // open() had. The object becomes empty if the kernel refuses the mounts. Throws
  // std::system_error.
  void mount();

  explicit operator bool() const { return bytes && uuid; }
};

// Answers the reads of all guests in a run, in one thread.
class RandomServer {
 public:
  // In lockstep the thread runs before all guests. So a read is answered before anything else
  // happens.
  RandomServer(const Streams& streams, bool lockstep);
  ~RandomServer();
  RandomServer(const RandomServer&) = delete;
  RandomServer& operator=(const RandomServer&) = delete;

  // Serves the files until the guest's mounts end. The machine's name determines the random
  // streams.
  void serve(const std::string& machine, RandomFiles files);
  // Answers pending reads. It is needed without lockstep, where a guest may sleep until the thread
  // runs. Returns true if there were any.
  bool settle();

 private:
  struct File;
  void work();
  bool answer_ready();  // with mutex_ locked; false without a pending read

  const Streams streams_;
  const bool lockstep_;
  base::FileDescriptor ready_;  // epoll, of the files
  base::FileDescriptor end_;    // eventfd
  std::mutex mutex_;            // of files_
  std::map<int, File> files_;   // by descriptor
  std::thread thread_;          // starts with the first guest
};

}  // namespace sim::guest
