// The DNS resolver that guests query, on sockets in their own networks.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/files/file_descriptor.h"
#include "sim/guest/names/dns_message.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// Answers the guests of one run. It has no thread and no clock: its owner calls poll(), and answers
// are sent by events of the simulation.
class NameServer {
 public:
  explicit NameServer(Simulation& simulation);
  ~NameServer();

  struct Guest {
    base::FileDescriptor datagrams, stream;  // UDP, and a listening TCP socket
    Lookup lookup;
    Duration latency{};             // until an answer
    std::function<void()> touched;  // called before any action that the guest may notice
  };
  // Returns a token.
  int serve(Guest guest);
  // Stops serving a guest. Answers that are due are dropped.
  void close(int token);

  int descriptor() const { return sockets_.get(); }  // readable when poll() has something to do
  // Does all work that is possible without waiting. Returns true if there was any.
  bool poll();

 private:
  struct Socket;  // of one guest: a datagram socket, a listening socket, or a connection
  // Does the possible work. Returns false if there was none.
  using Read = bool (NameServer::*)(Socket&);
  void add(int token, base::FileDescriptor descriptor, Read read);
  bool read_datagrams(Socket& socket);
  bool accept(Socket& socket);
  bool read_stream(Socket& socket);
  bool close_oldest(int token, std::ptrdiff_t from);
  void later(const Socket& socket, std::function<void(Socket&)> send);

  Simulation& simulation_;
  base::FileDescriptor sockets_;  // epoll, with their keys
  std::map<int, std::shared_ptr<Guest>> guests_;
  std::map<std::uint64_t, std::shared_ptr<Socket>> by_key_;
  int next_token_ = 1;
  std::uint64_t next_key_ = 1;
};

}  // namespace sim::guest
