// Interfaces that an account creates, and attaches to instances besides their primary ones. The
// codes are those of EC2 API reference, "Error codes for the Amazon EC2 API".
#include <algorithm>

#include "sim/vpc/interfaces.h"

namespace sim::vpc {
namespace {

ApiError still_attached(const Interface& interface) {
  return ApiError("InvalidNetworkInterface.InUse",
                  fmt::format("Interface: {} in use.", interface.id));
}

ApiError no_attachment(const std::string& id) {
  return ApiError("InvalidAttachmentID.NotFound",
                  fmt::format("The networkInterface attachment '{}' does not exist", id));
}

}  // namespace

const Interface& Interfaces::create(const Description& wanted) {
  const Subnet& subnet = subnets_.table.find(wanted.subnet);
  std::vector<Ipv4> chosen;
  const auto take = [&](const std::string& private_ip) {
    chosen.push_back(choose(subnet, {.private_ip = private_ip, .number = created_++}));
    addresses_[subnet.id].insert(chosen.back());
  };
  try {
    take(wanted.private_ip);
    for (const std::string& address : wanted.secondary_ips) take(address);
    for (int i = 0; i < wanted.more_addresses; ++i) take("");
  } catch (const ApiError&) {
    auto& used = addresses_[subnet.id];
    for (const Ipv4 address : chosen) used.erase(used.find(address));
    throw;
  }
  return table.add({.id = ids_.next("eni"),
                    .subnet = subnet.id,
                    .vpc = subnet.vpc,
                    .private_ip = chosen.front(),
                    .groups = wanted.groups,
                    .delete_on_termination = false,
                    .description = wanted.text,
                    .secondary_ips = {chosen.begin() + 1, chosen.end()}});
}

std::vector<const Interface*> Interfaces::all_of(const std::string& instance) const {
  std::vector<const Interface*> all;
  if (const Interface* const primary = of(instance)) all.push_back(primary);
  if (const auto found = further_.find(instance); found != further_.end())
    for (const std::string& id : found->second) all.push_back(&table.find(id));
  std::ranges::sort(all, {}, &Interface::device_index);
  return all;
}

std::string Interfaces::attach(const std::string& id, const std::string& instance, int device_index,
                               Time now) {
  Interface& interface = table.find(id);
  if (!interface.attachment.empty()) throw still_attached(interface);
  for (const Interface* const other : all_of(instance))
    if (other->device_index == device_index)
      throw ApiError("InvalidParameterValue",
                     fmt::format("Instance '{}' already has an interface attached at device index "
                                 "'{}'.",
                                 instance, device_index));
  interface.instance = instance;
  interface.device_index = device_index;
  interface.attached_at = now;
  interface.attachment = ids_.next("eni-attach");
  interface.delete_on_termination = false;
  further_[instance].insert(id);
  return interface.attachment;
}

void Interfaces::end_attachment(Interface& interface) {
  if (const auto found = further_.find(interface.instance); found != further_.end()) {
    found->second.erase(interface.id);
    if (found->second.empty()) further_.erase(found);
  }
  interface.instance.clear();
  interface.attachment.clear();
  interface.public_ip.reset();
  interface.device_index = 0;
}

void Interfaces::detach(const std::string& attachment) {
  Interface* const found = table.first([&](const Interface& interface) {
    return !attachment.empty() && interface.attachment == attachment;
  });
  if (!found) throw no_attachment(attachment);
  if (found->device_index == 0)
    throw ApiError("OperationNotPermitted",
                   "The network interface at device index 0 cannot be detached.");
  end_attachment(*found);
}

void Interfaces::free(const Interface& interface) {
  auto& used = addresses_[interface.subnet];
  used.erase(used.find(interface.private_ip));
  for (const Ipv4 address : interface.secondary_ips) used.erase(used.find(address));
}

void Interfaces::remove(const std::string& id) {
  const Interface& interface = table.find(id);
  if (!interface.attachment.empty()) throw still_attached(interface);
  free(interface);
  table.erase(id);
}

void Interfaces::set_delete_on_termination(const std::string& id, const std::string& attachment,
                                           bool deleted) {
  Interface& interface = table.find(id);
  if (attachment.empty() || interface.attachment != attachment) throw no_attachment(attachment);
  interface.delete_on_termination = deleted;
}

}  // namespace sim::vpc
