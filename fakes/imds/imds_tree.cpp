#include "fakes/imds/imds_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fakes/ec2/instances.h"
#include "fakes/ec2/network/host_names.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/http/http_date.h"
#include "fakes/http/identity_signature.h"
#include "fakes/iam_names.h"
#include "fakes/imds/credentials.h"
#include "sim/events/event.h"
#include "sim/kernel/json_object.h"
#include "sim/market/nitro.h"

namespace fakes {
namespace {

using sim::cloud::Instance;
using Value = std::optional<std::string>;  // empty: it does not exist now
using Names = std::vector<std::string>;

struct Subject {
  const Backend& backend;
  const Instance& instance;
  bool old_credentials = false;
  std::string name = "";  // value of the last placeholder in the row's path
  sim::Time now() const { return backend.simulation.now(); }
  bool has_profile() const { return !instance.spec.iam_instance_profile.empty(); }
};

// Instance metadata shows an interruption from its notice on (EC2 user guide, "Spot Instance
// interruption notices").
bool interrupted(const Subject& p) {
  return p.instance.interruption_notice_at && *p.instance.interruption_notice_at <= p.now() &&
         p.instance.interruption_at;
}

bool will_terminate(const Subject& p) {
  return interrupted(p) && !p.instance.spec.stops_when_interrupted;
}

sim::Time noticed(const Subject& p) { return *p.instance.interruption_notice_at; }

Value instance_action(const Subject& p) {
  if (!interrupted(p)) return {};
  return fmt::format(R"({{"action": "{}", "time": "{}"}})", interruption_behavior(p.instance.spec),
                     sim::iso_seconds(*p.instance.interruption_at));
}

Value termination_time(const Subject& p) {
  if (!will_terminate(p)) return {};
  return sim::iso_seconds(*p.instance.interruption_at);
}

Value rebalance(const Subject& p) {
  if (!p.instance.rebalance_recommended_at) return {};
  return fmt::format(R"({{"noticeTime": "{}"}})",
                     sim::iso_seconds(*p.instance.rebalance_recommended_at));
}

// EC2 user guide, "View scheduled events that affect your Amazon EC2 instances".
std::string maintenance_date(sim::Time time) {
  const std::string date = http_date(time);  // "Mon, 21 Jan 2019 09:00:43 GMT"
  const auto day = date.find_first_not_of("0 ", date.find(' '));
  return date.substr(day);
}

Value maintenance(const Subject& p, bool active) {
  sim::Json events = sim::Json::array();
  for (const auto& event : p.instance.maintenance) {
    if ((event.state == sim::cloud::MaintenanceState::kActive) != active) continue;
    sim::Json& shown =
        events.emplace_back(sim::json_object({{"NotBefore", maintenance_date(event.not_before)},
                                              {"Code", name(event.code)},
                                              {"Description", ec2::maintenance_description(event)},
                                              {"EventId", event.id}}));
    if (event.not_after) shown["NotAfter"] = maintenance_date(*event.not_after);
    shown["State"] = name(event.state);
  }
  return events.dump(2);
}

sim::Time maintenance_changed(const Subject& p) {
  sim::Time last = p.instance.launched_at;
  for (const auto& event : p.instance.maintenance) last = std::max(last, event.changed_at);
  return last;
}

// IAM User Guide, "Troubleshoot IAM and Amazon EC2".
Value no_profile(const Subject& p) {
  return sim::json_object({{"Code", "InstanceProfileNotFound"},
                           {"Message", "Instance Profile not found: " +
                                           instance_profile_arn(p.backend, p.instance)},
                           {"LastUpdated", sim::iso_seconds(p.instance.launched_at)}})
      .dump(2);
}

Value iam_info(const Subject& p) {
  if (!p.has_profile()) return {};
  if (instance_profile_of(p.backend, p.instance) == nullptr) return no_profile(p);
  return sim::json_object({{"Code", "Success"},
                           {"LastUpdated", sim::iso_seconds(p.instance.launched_at)},
                           {"InstanceProfileArn", instance_profile_arn(p.backend, p.instance)},
                           {"InstanceProfileId", instance_profile_id(p.backend, p.instance)}})
      .dump(2);
}

Names roles(const Subject& p) {
  const std::string role = role_name(p.backend, p.instance);
  return role.empty() ? Names{} : Names{role};
}

Value credentials(const Subject& p) {
  return role_credentials(p.backend, p.instance, p.old_credentials);
}

sim::Time issued(const Subject& p) {
  return credentials_issued(p.backend, p.instance, p.old_credentials);
}

Value identity_document(const Subject& p) {
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

std::string signed_document(const Subject& p) { return identity_document(p).value(); }

Value host_name(const Subject& p) { return ec2::private_dns_name(p.backend, p.instance); }

Value public_host_name(const Subject& p) { return ec2::public_dns_name(p.backend, p.instance); }
Value public_address(const Subject& p) { return ec2::public_ip(p.backend, p.instance); }

// A MAC in the locally administered range that contains the private address.
Value mac(const Subject& p) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  std::sscanf(p.instance.private_ip.c_str(), "%u.%u.%u.%u", &a, &b, &c, &d);
  return fmt::format("06:00:{:02x}:{:02x}:{:02x}:{:02x}", a & 255, b & 255, c & 255, d & 255);
}

// The present groups; IDs for groups without a name here (EC2 User Guide, "Instance metadata
// categories").
Value group_names(const Subject& p) {
  std::string names;
  for (const std::string& id : p.instance.spec.security_group_ids)
    names += (names.empty() ? "" : "\n") + ec2::security_group_name(p.backend, id).value_or(id);
  return names.empty() ? "default" : names;
}

Value group_ids(const Subject& p) {
  return fmt::format("{}", fmt::join(p.instance.spec.security_group_ids, "\n"));
}

Names public_addresses(const Subject& p) {
  const std::string address = ec2::public_ip(p.backend, p.instance);
  return address.empty() ? Names{} : Names{address};
}

// Only if the launch requested it (EC2 User Guide, "View tags for your EC2 instances using instance
// metadata").
Names tag_keys(const Subject& p) {
  Names keys;
  if (p.instance.spec.imds_tags)
    for (const auto& [key, value] : p.instance.tags) keys.push_back(key);
  return keys;
}

Value key_listing(const Subject& p) {
  if (p.instance.spec.key_name.empty()) return {};
  return "0=" + p.instance.spec.key_name;
}

Value key(const Subject& p) {
  if (p.instance.spec.key_name.empty()) return {};
  const auto* const pair = p.backend.cloud.network().key_pairs.named(p.instance.spec.key_name);
  if (pair == nullptr) return {};  // deleted since the launch
  return pair->public_key + " " + pair->name;
}

Value if_any(const std::string& text) { return text.empty() ? Value() : text; }

Value user_data(const Subject& p) {
  if (p.instance.spec.user_data.empty()) return {};
  return p.instance.spec.user_data;
}

// The state to which Auto Scaling moves the instance (EC2 Auto Scaling User Guide, "Retrieve the
// target lifecycle state through instance metadata").
Value target_lifecycle_state(const Subject& p) {
  using sim::autoscaling::LifecycleState;
  const auto* const group = p.backend.groups.group_of(p.instance.id);
  if (group == nullptr) return {};
  const LifecycleState state = group->find(p.instance.id)->state;
  if (state >= LifecycleState::kDetaching) return "Detached";
  if (is_leaving(state)) return "Terminated";
  const bool standby =
      state == LifecycleState::kEnteringStandby || state == LifecycleState::kStandby;
  return standby ? "Standby" : "InService";
}

Value vpc_cidr(const Subject& p) {
  const auto& vpcs = p.backend.cloud.network().vpcs.table;
  return text(vpcs.find(ec2::vpc_of(p.backend, p.instance)).cidr);
}

constexpr const char* kText = "text/plain";
constexpr const char* kJson = "application/json";
constexpr const char* kBytes = "application/octet-stream";

constexpr struct {
  std::string_view placeholder;
  Names (*names)(const Subject&);  // the names for the placeholder; none: the path does not exist
} kPlaceholders[] = {
    {"{role}", roles},
    {"{mac}", [](const Subject& p) { return Names{*mac(p)}; }},
    {"{public-ip}", public_addresses},
    {"{tag}", tag_keys},
};

bool always(const Subject&) { return true; }

// A path with a final slash is a listing that is not made from the names below it.
struct MetadataPath {
  std::string_view path;
  const char* content_type;
  Value (*value)(const Subject&);
  // True if it has a value; null: computing the value decides.
  bool (*there)(const Subject&) = nullptr;
  sim::Time (*modified)(const Subject&) = nullptr;  // null: since the launch
};
constexpr MetadataPath kRows[] = {
    {"dynamic/fws/instance-monitoring", kText,
     [](const Subject& p) -> Value {
       return p.instance.spec.detailed_monitoring ? "enabled" : "disabled";
     }},
    {"dynamic/instance-identity/document", kText, identity_document},
    {"dynamic/instance-identity/pkcs7", kText,
     [](const Subject& p) -> Value { return identity_pkcs7(signed_document(p)); }, always},
    {"dynamic/instance-identity/rsa2048", kText,
     [](const Subject& p) -> Value { return identity_pkcs7(signed_document(p)); }, always},
    {"dynamic/instance-identity/signature", kText,
     [](const Subject& p) -> Value { return identity_signature(signed_document(p)); }, always},
    {"meta-data/ami-id", kText, [](const Subject& p) -> Value { return p.instance.spec.image_id; }},
    {"meta-data/ami-launch-index", kText,
     [](const Subject& p) -> Value { return std::to_string(p.instance.launch_index); }},
    {"meta-data/ami-manifest-path", kText, [](const Subject&) -> Value { return "(unknown)"; }},
    {"meta-data/autoscaling/target-lifecycle-state", kText, target_lifecycle_state},
    {"meta-data/block-device-mapping/ami", kText,
     [](const Subject&) -> Value { return "/dev/sda1"; }},
    {"meta-data/block-device-mapping/root", kText,
     [](const Subject&) -> Value { return "/dev/sda1"; }},
    {"meta-data/events/maintenance/history", kText,
     [](const Subject& p) { return maintenance(p, false); }, nullptr, maintenance_changed},
    {"meta-data/events/maintenance/scheduled", kText,
     [](const Subject& p) { return maintenance(p, true); }, nullptr, maintenance_changed},
    {"meta-data/events/recommendations/rebalance", kJson, rebalance, nullptr,
     [](const Subject& p) { return *p.instance.rebalance_recommended_at; }},
    {"meta-data/hibernation/configured", kText,
     [](const Subject& p) -> Value { return p.instance.spec.hibernation ? "true" : "false"; }},
    {"meta-data/hostname", kText, host_name},
    {"meta-data/iam/info", kJson, iam_info},
    {"meta-data/iam/security-credentials/{role}", kText, credentials, always, issued},
    {"meta-data/instance-action", kText, [](const Subject&) -> Value { return "none"; }},
    {"meta-data/instance-id", kText, [](const Subject& p) -> Value { return p.instance.id.value; }},
    {"meta-data/instance-life-cycle", kText,
     [](const Subject& p) -> Value {
       return p.instance.lifecycle == sim::cloud::Lifecycle::kSpot ? "spot" : "on-demand";
     }},
    {"meta-data/instance-type", kText,
     [](const Subject& p) -> Value { return p.instance.spec.instance_type; }},
    {"meta-data/local-hostname", kText, host_name},
    {"meta-data/local-ipv4", kText,
     [](const Subject& p) -> Value { return p.instance.private_ip; }},
    {"meta-data/mac", kText, mac},
    {"meta-data/metrics/vhostmd", kText,
     [](const Subject&) -> Value { return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"; }},
    {"meta-data/network/interfaces/macs/{mac}/device-number", kText,
     [](const Subject&) -> Value { return "0"; }},
    {"meta-data/network/interfaces/macs/{mac}/interface-id", kText,
     [](const Subject& p) -> Value { return "eni-" + p.instance.id.value.substr(2); }},
    {"meta-data/network/interfaces/macs/{mac}/ipv4-associations/{public-ip}", kText,
     [](const Subject& p) -> Value { return p.instance.private_ip; }},
    {"meta-data/network/interfaces/macs/{mac}/local-hostname", kText, host_name},
    {"meta-data/network/interfaces/macs/{mac}/local-ipv4s", kText,
     [](const Subject& p) -> Value { return p.instance.private_ip; }},
    {"meta-data/network/interfaces/macs/{mac}/mac", kText, mac},
    {"meta-data/network/interfaces/macs/{mac}/owner-id", kText,
     [](const Subject& p) -> Value { return p.backend.cloud.config().account_id; }},
    {"meta-data/network/interfaces/macs/{mac}/public-hostname", kText, public_host_name},
    {"meta-data/network/interfaces/macs/{mac}/public-ipv4s", kText, public_address},
    {"meta-data/network/interfaces/macs/{mac}/security-group-ids", kText, group_ids},
    {"meta-data/network/interfaces/macs/{mac}/security-groups", kText, group_names},
    {"meta-data/network/interfaces/macs/{mac}/subnet-id", kText,
     [](const Subject& p) -> Value { return p.instance.spec.subnet_id; }},
    {"meta-data/network/interfaces/macs/{mac}/subnet-ipv4-cidr-block", kText,
     [](const Subject& p) -> Value {
       return text(p.backend.cloud.network().subnets.table.find(p.instance.spec.subnet_id).cidr);
     }},
    {"meta-data/network/interfaces/macs/{mac}/vpc-id", kText,
     [](const Subject& p) -> Value { return ec2::vpc_of(p.backend, p.instance); }},
    {"meta-data/network/interfaces/macs/{mac}/vpc-ipv4-cidr-block", kText, vpc_cidr},
    {"meta-data/network/interfaces/macs/{mac}/vpc-ipv4-cidr-blocks", kText, vpc_cidr},
    {"meta-data/placement/availability-zone", kText,
     [](const Subject& p) -> Value { return p.instance.spec.availability_zone; }},
    {"meta-data/placement/availability-zone-id", kText,
     [](const Subject& p) -> Value { return ec2::zone_id(p.instance.spec.availability_zone); }},
    {"meta-data/placement/group-name", kText,
     [](const Subject& p) { return if_any(p.instance.spec.placement_group); }},
    {"meta-data/placement/partition-number", kText,
     [](const Subject& p) {
       const int partition = p.instance.spec.partition;
       return if_any(partition > 0 ? std::to_string(partition) : "");
     }},
    {"meta-data/placement/region", kText,
     [](const Subject& p) -> Value { return p.backend.cloud.config().region; }},
    {"meta-data/profile", kText, [](const Subject&) -> Value { return "default-hvm"; }},
    {"meta-data/public-hostname", kText, public_host_name},
    {"meta-data/public-ipv4", kText, public_address},
    {"meta-data/public-keys/", kText, key_listing},
    {"meta-data/public-keys/0/openssh-key", kText, key},
    {"meta-data/reservation-id", kText,
     [](const Subject& p) -> Value { return p.instance.reservation.value; }},
    {"meta-data/security-groups", kText, group_names},
    {"meta-data/services/domain", kText, [](const Subject&) -> Value { return "amazonaws.com"; }},
    {"meta-data/services/partition", kText, [](const Subject&) -> Value { return "aws"; }},
    {"meta-data/spot/instance-action", kJson, instance_action, interrupted, noticed},
    {"meta-data/spot/termination-time", kText, termination_time, will_terminate, noticed},
    {"meta-data/system", kText,
     [](const Subject& p) -> Value {
       return sim::market::is_on_nitro(p.instance.spec.instance_type) ? "nitro" : "xen";
     }},
    {"meta-data/tags/instance/{tag}", kText,
     [](const Subject& p) -> Value { return p.instance.tags.at(p.name); }},
    {"user-data", kBytes, user_data},
};

struct Expanded {
  std::string path, name;  // the name that the last placeholder became
};

// All paths that a row describes.
std::vector<Expanded> expand(std::string_view path, const Subject& place) {
  std::vector<Expanded> all{{std::string(path), ""}};
  for (const auto& [placeholder, names] : kPlaceholders) {
    if (path.find(placeholder) == path.npos) continue;
    std::vector<Expanded> more;
    for (const std::string& name : names(place))
      for (const Expanded& one : all) {
        more.push_back({one.path, name});
        more.back().path.replace(one.path.find(placeholder), placeholder.size(), name);
      }
    all = std::move(more);
  }
  return all;
}

// The names in a folder ("meta-data/placement/"): files, and folders with a slash.
class Listing {
 public:
  explicit Listing(std::string_view folder) : folder_(folder) {}
  void add(std::string_view path) {
    if (!path.starts_with(folder_)) return;
    const auto rest = path.substr(folder_.size());
    const auto slash = rest.find('/');
    names_.emplace(slash == rest.npos ? rest : rest.substr(0, slash + 1));
  }
  bool empty() const { return names_.empty(); }
  std::string text() const { return fmt::format("{}", fmt::join(names_, "\n")); }

 private:
  std::string_view folder_;
  std::set<std::string> names_;
};

}  // namespace

std::optional<Metadata> read_metadata(const Backend& backend, const Instance& instance,
                                      std::string_view path, bool old_credentials) {
  Subject place{backend, instance, old_credentials};
  std::string folder(path);
  if (!folder.empty() && folder.back() != '/') folder += '/';
  Listing listing(folder);
  for (const auto& row : kRows) {
    const auto fixed = row.path.substr(0, row.path.find('{'));
    if (!fixed.starts_with(folder) && !folder.starts_with(fixed)) continue;
    for (const auto& [full, name] : expand(row.path, place)) {
      place.name = name;
      // A value can be read with a final slash, too: botocore requests the zone so.
      const bool asked_as_folder = folder.size() == full.size() + 1 && folder.starts_with(full);
      if (full == path || full == folder || asked_as_folder) {
        auto value = row.value(place);
        if (!value) return {};
        const auto modified = row.modified ? row.modified(place) : instance.launched_at;
        return Metadata{std::move(*value), row.content_type, modified};
      }
      if (!full.starts_with(folder)) continue;
      if (row.there ? row.there(place) : row.value(place).has_value()) listing.add(full);
    }
  }
  if (listing.empty()) return {};
  return Metadata{listing.text(), kText, instance.launched_at};
}

}  // namespace fakes
