// Interfaces that an account creates, and attaches to instances besides their primary ones. The
// codes are those of EC2 API reference, "Error codes for the Amazon EC2 API".
#include <algorithm>
#include <numeric>

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

// Takes these addresses ("": any) and `more` others, all or none. Named addresses are taken before
// free ones are chosen, so that no named address is chosen.
std::vector<Ipv4> Interfaces::take(const Subnet& subnet, const std::vector<std::string>& named,
                                   int more) {
  std::vector<std::string> wanted = named;
  wanted.insert(wanted.end(), static_cast<std::size_t>(more), "");
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_partition(order, [&](std::size_t place) { return !wanted[place].empty(); });
  std::vector<Ipv4> chosen(wanted.size());
  auto& used = addresses_[subnet.id];
  std::vector<Ipv4> taken;
  try {
    for (const std::size_t place : order) {
      taken.push_back(choose(subnet, {.private_ip = wanted[place], .number = created_ + place}));
      used.insert(taken.back());
      chosen[place] = taken.back();
    }
  } catch (const ApiError&) {
    for (const Ipv4 address : taken) used.erase(used.find(address));
    throw;
  }
  created_ += wanted.size();
  return chosen;
}

const Interface& Interfaces::create(const Description& wanted) {
  const Subnet& subnet = subnets_.table.find(wanted.subnet);
  std::vector<std::string> named = wanted.secondary_ips;
  named.insert(named.begin(), wanted.private_ip);
  const std::vector<Ipv4> chosen = take(subnet, named, wanted.more_addresses);
  return table.add({.id = ids_.next("eni"),
                    .subnet = subnet.id,
                    .vpc = subnet.vpc,
                    .private_ip = chosen.front(),
                    .groups = wanted.groups,
                    .delete_on_termination = false,
                    .description = wanted.text,
                    .secondary_ips = {chosen.begin() + 1, chosen.end()}});
}

std::vector<Ipv4> Interfaces::add_addresses(const std::string& id,
                                            const std::vector<std::string>& named, int more) {
  Interface& interface = table.find(id);
  const auto added = take(subnets_.table.find(interface.subnet), named, more);
  interface.secondary_ips.insert(interface.secondary_ips.end(), added.begin(), added.end());
  return added;
}

void Interfaces::remove_addresses(const std::string& id, const std::vector<std::string>& named) {
  Interface& interface = table.find(id);
  std::vector<Ipv4> rest = interface.secondary_ips;
  for (const std::string& name : named) {
    const auto found = std::ranges::find(rest, name, [](Ipv4 one) { return text(one); });
    if (found == rest.end())
      throw ApiError("InvalidParameterValue",
                     "Some of the specified addresses are not assigned to interface " + id);
    rest.erase(found);
  }
  auto& used = addresses_[interface.subnet];
  for (const std::string& name : named) used.erase(used.find(*parse_ipv4(name)));
  interface.secondary_ips = rest;
  freed_();
}

void Interfaces::check_available(const std::string& id) const {
  if (const Interface& interface = table.find(id); !interface.attachment.empty())
    throw still_attached(interface);
}

// An existing interface stays when its instance terminates, and gets no public address.
const Interface& Interfaces::attach_existing(const Wish& wish) {
  check_available(wish.interface);
  Interface& interface = table.find(wish.interface);
  interface.instance = wish.instance;
  interface.attached_at = wish.now;
  interface.attachment = "eni-attach-" + wish.instance.substr(2);
  interface.delete_on_termination = false;
  existing_[wish.instance] = interface.id;
  return interface;
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
  check_available(id);
  Interface& interface = table.find(id);
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
  if (interface.device_index == 0) existing_.erase(interface.instance);
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
  freed_();
}

void Interfaces::erase(const Interface& interface) {
  auto& used = addresses_[interface.subnet];
  used.erase(used.find(interface.private_ip));
  for (const Ipv4 address : interface.secondary_ips) used.erase(used.find(address));
  const std::string id = interface.id;  // which the table erases
  table.erase(id);
}

void Interfaces::remove(const std::string& id) {
  check_available(id);
  erase(table.find(id));
  freed_();
}

void Interfaces::set_delete_on_termination(const std::string& id, const std::string& attachment,
                                           bool deleted) {
  Interface& interface = table.find(id);
  if (attachment.empty() || interface.attachment != attachment) throw no_attachment(attachment);
  interface.delete_on_termination = deleted;
}

}  // namespace sim::vpc
