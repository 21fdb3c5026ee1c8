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

// Of version 4, as uuidgen(1) prints it.
std::string random_uuid(Stream& stream);

// In a guest's init: the connections to the kernel by which the simulator will answer.
struct RandomFiles {
  base::FileDescriptor bytes, uuid;

  // Opens the host's /dev/fuse: call this before the root changes. Empty when the host has no FUSE
  // or refuses to open the device.
  static RandomFiles open();
  // In the guest's root, with the rights and the user namespace that open() had. Becomes empty
  // where the kernel refuses it. Throws std::system_error.
  void mount();

  explicit operator bool() const { return bytes && uuid; }
};

// Answers all guests of a run.
class RandomServer {
 public:
  // In lockstep the thread comes before all guests, so that a read has been answered before
  // anything else happens.
  RandomServer(const Streams& streams, bool lockstep);
  ~RandomServer();
  RandomServer(const RandomServer&) = delete;
  RandomServer& operator=(const RandomServer&) = delete;

  // Serves the files until the guest's mounts end. The machine's name is the seed of their content.
  void serve(const std::string& machine, RandomFiles files);
  // Outside of lockstep, where a guest may sleep until the thread gets to its read: answers what
  // has been asked. True when there was anything.
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
  std::thread thread_;          // begins with the first guest
};

}  // namespace sim::guest
