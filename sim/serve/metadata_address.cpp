#include "sim/serve/metadata_address.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "sim/serve/listen.h"

namespace sim::serve {
namespace {

// Of the default VPC, and what stands for it on this machine.
constexpr std::string_view kPrivate = "172.31.", kLoopback = "127.31.";
constexpr int kNothing = -1;

}  // namespace

std::string metadata_address(const cloud::Instance& instance) {
  return std::string(kLoopback) + instance.private_ip.substr(kPrivate.size());
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

void MetadataSockets::follow(ServedCloud& served) {
  const std::pair<const ServedCloud*, std::uint64_t> now{&served, served.changes()};
  if (std::exchange(seen_, now) == now) return;
  std::set<std::string> wanted;
  for (const auto& [id, instance] : served.cloud().instances())
    if (!instance.terminated_at) wanted.insert(metadata_address(instance));
  std::erase_if(tokens_, [&](const auto& entry) {
    if (wanted.contains(entry.first)) return false;
    if (entry.second != kNothing) server_.close(entry.second);
    return true;
  });
  for (const std::string& address : wanted)
    if (!tokens_.contains(address)) open(address);
}

void MetadataSockets::open(const std::string& address) {
  int& token = tokens_.emplace(address, kNothing).first->second;
  try {
    token = server_.listen(listen_on(address, port_).descriptor.release(), handler_);
  } catch (const std::exception& error) {
    if (warn_) warn_(error.what());
  }
}

}  // namespace sim::serve
