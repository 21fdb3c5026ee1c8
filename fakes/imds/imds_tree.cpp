#include "fakes/imds/imds_tree.h"

#include <fmt/format.h>

#include <set>

#include "fakes/ec2/host_names.h"
#include "fakes/ec2/vpc.h"
#include "fakes/iam_names.h"
#include "sim/kernel/event.h"
#include "sim/kernel/json_object.h"

namespace fakes {
namespace {

using sim::cloud::Instance;
using Value = std::optional<std::string>;  // empty: not there now

struct Place {
  const Backend& backend;
  const Instance& instance;
  bool old_credentials = false;
  sim::Time now() const { return backend.simulation.now(); }
  bool has_role() const { return !instance.spec.iam_instance_profile.empty(); }
};

// Instance metadata shows an interruption from its notice on (EC2 user guide, "Spot Instance
// interruption notices").
bool interrupted(const Place& p) {
  return p.instance.interruption_notice_at && *p.instance.interruption_notice_at <= p.now() &&
         p.instance.interruption_at;
}

Value instance_action(const Place& p) {
  if (!interrupted(p)) return {};
  return fmt::format(R"({{"action": "terminate", "time": "{}"}})",
                     sim::iso_seconds(*p.instance.interruption_at));
}

Value termination_time(const Place& p) {
  if (!interrupted(p)) return {};
  return sim::iso_seconds(*p.instance.interruption_at);
}

Value rebalance(const Place& p) {
  if (!p.instance.rebalance_recommended_at) return {};
  return fmt::format(R"({{"noticeTime": "{}"}})",
                     sim::iso_seconds(*p.instance.rebalance_recommended_at));
}

Value iam_info(const Place& p) {
  if (!p.has_role()) return {};
  return sim::json_object({{"Code", "Success"},
                           {"LastUpdated", sim::iso_seconds(p.instance.launched_at)},
                           {"InstanceProfileArn", instance_profile_arn(p.backend, p.instance)},
                           {"InstanceProfileId", instance_profile_id(p.backend, p.instance)}})
      .dump(2);
}

Value role(const Place& p) {
  if (!p.has_role()) return {};
  return role_name(p.instance);
}

// Temporary credentials hold for six hours and are renewed an hour before they end.
Value credentials(const Place& p) {
  if (!p.has_role()) return {};
  constexpr auto kRenewal = std::chrono::hours{5};
  constexpr auto kLifetime = std::chrono::hours{6};
  constexpr auto kExpiredFor = std::chrono::minutes{1};  // of those before
  const auto age = std::max(p.now() - p.instance.launched_at, sim::Duration::zero());
  const auto period = age / kRenewal - (p.old_credentials ? 1 : 0);
  const auto issued = p.old_credentials ? p.now() - kLifetime - kExpiredFor
                                        : p.instance.launched_at + period * kRenewal;
  const auto part = [&](std::string_view name, int count) {
    return iam_characters(
        p.backend.streams.stream(name, fmt::format("{}/{}", p.instance.id.value, period)), count);
  };
  return sim::json_object({{"Code", "Success"},
                           {"LastUpdated", sim::iso_seconds(issued)},
                           {"Type", "AWS-HMAC"},
                           {"AccessKeyId", "ASIA" + part("access-key", 16)},
                           {"SecretAccessKey", part("secret-key", 40)},
                           {"Token", part("session-token", 64)},
                           {"Expiration", sim::iso_seconds(issued + kLifetime)}})
      .dump(2);
}

Value identity_document(const Place& p) {
  const auto& config = p.backend.cloud.config();
  const sim::Json document =
      sim::json_object({{"accountId", config.account_id},
                        {"architecture", "x86_64"},
                        {"availabilityZone", p.instance.spec.availability_zone},
                        {"billingProducts", nullptr},
                        {"devpayProductCodes", nullptr},
                        {"marketplaceProductCodes", nullptr},
                        {"imageId", p.instance.spec.image_id},
                        {"instanceId", p.instance.id.value},
                        {"instanceType", p.instance.spec.instance_type},
                        {"kernelId", nullptr},
                        {"pendingTime", sim::iso_seconds(p.instance.launched_at)},
                        {"privateIp", p.instance.private_ip},
                        {"ramdiskId", nullptr},
                        {"region", config.region},
                        {"version", "2017-09-30"}});
  return document.dump(2);
}

Value host_name(const Place& p) { return ec2::private_dns_name(p.backend, p.instance); }

Value public_host_name(const Place& p) { return ec2::public_dns_name(p.backend, p.instance); }
Value public_address(const Place& p) { return ec2::public_ip(p.instance); }

// A MAC of the locally administered range that says the private address.
Value mac(const Place& p) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  std::sscanf(p.instance.private_ip.c_str(), "%u.%u.%u.%u", &a, &b, &c, &d);
  return fmt::format("06:00:{:02x}:{:02x}:{:02x}:{:02x}", a & 255, b & 255, c & 255, d & 255);
}

// By their IDs where they have no name here; as they are now (EC2 User Guide, "Instance metadata
// categories").
Value group_names(const Place& p) {
  std::string names;
  for (const std::string& id : p.instance.spec.security_group_ids)
    names += (names.empty() ? "" : "\n") + ec2::security_group_name(p.backend, id).value_or(id);
  return names.empty() ? "default" : names;
}

Value group_ids(const Place& p) {
  return fmt::format("{}", fmt::join(p.instance.spec.security_group_ids, "\n"));
}

Value key_listing(const Place& p) {
  if (p.instance.spec.key_name.empty()) return {};
  return "0=" + p.instance.spec.key_name;
}

Value key(const Place& p) {
  if (p.instance.spec.key_name.empty()) return {};
  return fmt::format("ssh-rsa {} {}", iam_characters(p.backend.streams.stream("key-pair"), 64),
                     p.instance.spec.key_name);
}

Value user_data(const Place& p) {
  if (p.instance.spec.user_data.empty()) return {};
  return p.instance.spec.user_data;
}

constexpr const char* kText = "text/plain";
constexpr const char* kJson = "application/json";
constexpr const char* kBytes = "application/octet-stream";

// {role} and {mac} stand for the instance's own. A path that ends in a slash is a listing that is
// not made from the names below it.
struct Row {
  std::string_view path;
  const char* content_type;
  Value (*value)(const Place&);
  bool (*there)(const Place&) = nullptr;  // whether it has a value; null: making it tells
};
constexpr Row kRows[] = {
    {"dynamic/fws/instance-monitoring", kText, [](const Place&) -> Value { return "disabled"; }},
    {"dynamic/instance-identity/document", kText, identity_document},
    {"meta-data/ami-id", kText, [](const Place& p) -> Value { return p.instance.spec.image_id; }},
    {"meta-data/ami-launch-index", kText,
     [](const Place& p) -> Value { return std::to_string(p.instance.launch_index); }},
    {"meta-data/ami-manifest-path", kText, [](const Place&) -> Value { return "(unknown)"; }},
    {"meta-data/block-device-mapping/ami", kText,
     [](const Place&) -> Value { return "/dev/sda1"; }},
    {"meta-data/block-device-mapping/root", kText,
     [](const Place&) -> Value { return "/dev/sda1"; }},
    {"meta-data/events/maintenance/history", kText, [](const Place&) -> Value { return "[]"; }},
    {"meta-data/events/maintenance/scheduled", kText, [](const Place&) -> Value { return "[]"; }},
    {"meta-data/events/recommendations/rebalance", kJson, rebalance},
    {"meta-data/hibernation/configured", kText, [](const Place&) -> Value { return "false"; }},
    {"meta-data/hostname", kText, host_name},
    {"meta-data/iam/info", kJson, iam_info},
    {"meta-data/iam/security-credentials/{role}", kText, credentials,
     [](const Place& p) { return p.has_role(); }},
    {"meta-data/instance-action", kText, [](const Place&) -> Value { return "none"; }},
    {"meta-data/instance-id", kText, [](const Place& p) -> Value { return p.instance.id.value; }},
    {"meta-data/instance-life-cycle", kText,
     [](const Place& p) -> Value {
       return p.instance.lifecycle == sim::cloud::Lifecycle::kSpot ? "spot" : "on-demand";
     }},
    {"meta-data/instance-type", kText,
     [](const Place& p) -> Value { return p.instance.spec.instance_type; }},
    {"meta-data/local-hostname", kText, host_name},
    {"meta-data/local-ipv4", kText, [](const Place& p) -> Value { return p.instance.private_ip; }},
    {"meta-data/mac", kText, mac},
    {"meta-data/network/interfaces/macs/{mac}/device-number", kText,
     [](const Place&) -> Value { return "0"; }},
    {"meta-data/network/interfaces/macs/{mac}/local-ipv4s", kText,
     [](const Place& p) -> Value { return p.instance.private_ip; }},
    {"meta-data/network/interfaces/macs/{mac}/mac", kText, mac},
    {"meta-data/network/interfaces/macs/{mac}/public-hostname", kText, public_host_name},
    {"meta-data/network/interfaces/macs/{mac}/public-ipv4s", kText, public_address},
    {"meta-data/network/interfaces/macs/{mac}/security-group-ids", kText, group_ids},
    {"meta-data/network/interfaces/macs/{mac}/security-groups", kText, group_names},
    {"meta-data/network/interfaces/macs/{mac}/subnet-id", kText,
     [](const Place& p) -> Value { return p.instance.spec.subnet_id; }},
    {"meta-data/network/interfaces/macs/{mac}/vpc-id", kText,
     [](const Place& p) -> Value { return ec2::vpc_id(p.backend); }},
    {"meta-data/placement/availability-zone", kText,
     [](const Place& p) -> Value { return p.instance.spec.availability_zone; }},
    {"meta-data/placement/availability-zone-id", kText,
     [](const Place& p) -> Value { return ec2::zone_id(p.instance.spec.availability_zone); }},
    {"meta-data/placement/region", kText,
     [](const Place& p) -> Value { return p.backend.cloud.config().region; }},
    {"meta-data/profile", kText, [](const Place&) -> Value { return "default-hvm"; }},
    {"meta-data/public-hostname", kText, public_host_name},
    {"meta-data/public-ipv4", kText, public_address},
    {"meta-data/public-keys/", kText, key_listing},
    {"meta-data/public-keys/0/openssh-key", kText, key},
    {"meta-data/reservation-id", kText,
     [](const Place& p) -> Value { return p.instance.reservation.value; }},
    {"meta-data/security-groups", kText, group_names},
    {"meta-data/services/domain", kText, [](const Place&) -> Value { return "amazonaws.com"; }},
    {"meta-data/services/partition", kText, [](const Place&) -> Value { return "aws"; }},
    {"meta-data/spot/instance-action", kJson, instance_action},
    {"meta-data/spot/termination-time", kText, termination_time},
    {"meta-data/system", kText, [](const Place&) -> Value { return "xen"; }},
    {"user-data", kBytes, user_data},
};

std::string expand(std::string_view path, const Place& place) {
  std::string full(path);
  const auto replace = [&](std::string_view name, Value (*value)(const Place&)) {
    const auto at = full.find(name);
    if (at != std::string::npos) full.replace(at, name.size(), value(place).value_or(""));
  };
  replace("{role}", role);
  replace("{mac}", mac);
  return full;
}

}  // namespace

std::optional<Metadata> read_metadata(const Backend& backend, const Instance& instance,
                                      std::string_view path, bool old_credentials) {
  const Place place{backend, instance, old_credentials};
  std::string folder(path);
  if (!folder.empty() && folder.back() != '/') folder += '/';
  std::set<std::string> names;
  std::string expanded;
  for (const auto& row : kRows) {
    const auto fixed = row.path.substr(0, row.path.find('{'));
    if (!fixed.starts_with(folder) && !folder.starts_with(fixed)) continue;
    const bool whole = fixed.size() == row.path.size();
    const std::string_view full = whole ? row.path : (expanded = expand(row.path, place));
    // With a slash behind it a value is a value, too: botocore asks for the zone that way.
    const bool asked_as_folder = folder.size() == full.size() + 1 && folder.starts_with(full);
    if (full == path || full == folder || asked_as_folder) {
      auto value = row.value(place);
      if (!value) return {};
      return Metadata{std::move(*value), row.content_type};
    }
    if (!full.starts_with(folder)) continue;
    if (row.there ? !row.there(place) : !row.value(place)) continue;
    const auto rest = full.substr(folder.size());
    const auto slash = rest.find('/');
    names.emplace(slash == rest.npos ? rest : rest.substr(0, slash + 1));
  }
  if (names.empty()) return {};
  return Metadata{fmt::format("{}", fmt::join(names, "\n")), kText};
}

}  // namespace fakes
