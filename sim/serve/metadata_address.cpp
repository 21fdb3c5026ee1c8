#include "sim/serve/metadata_address.h"

#include <stdexcept>
#include <utility>

#include "sim/serve/listen.h"

namespace sim::serve {
namespace {

// The default VPC's private addresses, and the loopback addresses for them.
constexpr std::string_view kPrivate = "172.31.", kLoopback = "127.31.";
constexpr int kNothing = -1;

}  // namespace

std::string metadata_address(const std::string& private_ip) {
  if (!private_ip.starts_with(kPrivate)) return "";
  return std::string(kLoopback) + private_ip.substr(kPrivate.size());
}

std::string private_address(std::string_view host) {
  host = host.substr(0, host.find(':'));
  if (!host.starts_with(kLoopback)) return "";
  host.remove_prefix(kLoopback.size());
  if (host.find_first_not_of("0123456789.") != std::string_view::npos) return "";
  return std::string(kPrivate) + std::string(host);
}

MetadataSockets::MetadataSockets(fakes::Server& server, fakes::Handler handler, int port,
                                 std::function<void(const std::string&)> warn)
    : server_(server), handler_(std::move(handler)), port_(port), warn_(std::move(warn)) {}

void MetadataSockets::follow(ServedCloud& served, std::uint64_t world) {
  if (std::exchange(world_, world) != world)
    while (!tokens_.empty()) close(tokens_.begin()->first);
  for (const auto& [private_ip, has_instance] : served.take_address_changes()) {
    const std::string address = metadata_address(private_ip);
    if (address.empty()) continue;
    if (has_instance && !tokens_.contains(address)) open(address);
    if (!has_instance) close(address);
  }
}

void MetadataSockets::open(const std::string& address) {
  int& token = tokens_.emplace(address, kNothing).first->second;
  try {
    token = server_.listen(listen_on(address, port_).descriptor.release(), handler_);
  } catch (const std::exception& error) {
    // Later sockets usually fail for the same reason, so one warning suffices.
    if (warn_ && !std::exchange(warned_, true)) warn_(error.what());
  }
}

void MetadataSockets::close(const std::string& address) {
  const auto found = tokens_.find(address);
  if (found == tokens_.end()) return;
  if (found->second != kNothing) server_.close(found->second);
  tokens_.erase(found);
}

}  // namespace sim::serve
