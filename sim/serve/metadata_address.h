// A loopback address for each instance's metadata service, at the service's own port, for clients
// that take no path: 127.31.16.4 for the instance whose private address is 172.31.16.4.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "fakes/http/server.h"
#include "sim/serve/served_cloud.h"

namespace sim::serve {

std::string metadata_address(const std::string& private_ip);
// The private address of the instance that a Host header ("127.31.16.4:5000") names so; empty for
// another host.
std::string private_address(std::string_view host);

// Listens at the addresses of the instances that are not terminated.
class MetadataSockets {
 public:
  // `handler` answers what comes in. `warn` is told where nothing can listen. The server must
  // outlive it.
  MetadataSockets(fakes::Server& server, fakes::Handler handler, int port,
                  std::function<void(const std::string&)> warn);
  // Opens and closes what the cloud's instances want now. The work is for those that are new or
  // have ended since the last call. `world` counts the clouds: another number says that this is a
  // new one.
  void follow(ServedCloud& served, std::uint64_t world);

 private:
  void open(const std::string& address);
  void close(const std::string& address);

  fakes::Server& server_;
  const fakes::Handler handler_;
  const int port_;
  const std::function<void(const std::string&)> warn_;
  std::uint64_t world_ = 0;
  bool warned_ = false;
  std::map<std::string, int> tokens_;  // of what listens, by address; -1: nothing can
};

}  // namespace sim::serve
