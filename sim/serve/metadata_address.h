// A loopback address for each instance's metadata service, on the service's own port, for clients
// that accept only an address: 127.31.16.4 for the instance with the private address 172.31.16.4.
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
// The private address that a Host header ("127.31.16.4:5000") stands for. Empty for other hosts.
std::string private_address(std::string_view host);

// Listens at the addresses of the instances that are not terminated.
class MetadataSockets {
 public:
  // `handler` answers requests. `warn` receives a message if an address cannot be used. The server
  // must outlive this object.
  MetadataSockets(fakes::Server& server, fakes::Handler handler, int port,
                  std::function<void(const std::string&)> warn);
  // Opens and closes sockets for the cloud's present instances. The work is proportional to the
  // instances that are new or have ended since the last call. `world` numbers the clouds: a
  // different number means a new cloud.
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
  std::map<std::string, int> tokens_;  // by address; -1: the address cannot be used
};

}  // namespace sim::serve
