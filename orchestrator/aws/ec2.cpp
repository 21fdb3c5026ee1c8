#include "orchestrator/aws/ec2.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "api/ec2.h"
#include "api/json.h"
#include "api/refusal.h"
#include "base/text/base64.h"

namespace spotrun::aws {
namespace {

namespace op = api::ec2::op;

api::Opt<std::string> unless_empty(const std::string& text) {
  return text.empty() ? api::Opt<std::string>() : text;
}

api::Opt<std::int64_t> unless_zero(int number) {
  return number == 0 ? api::Opt<std::int64_t>() : number;
}

api::List<api::ec2::Filter> as_filters(const std::vector<Filter>& filters) {
  api::List<api::ec2::Filter> all;
  for (const auto& [name, values] : filters) all.push_back({.name = name, .values = values});
  return all;
}

api::List<api::ec2::Tag> as_tags(const Tags& tags) {
  api::List<api::ec2::Tag> all;
  for (const auto& [key, value] : tags) all.push_back({.key = key, .value = value});
  return all;
}

api::List<api::ec2::TagSpecification> tag_specification(const char* resource, const Tags& tags) {
  if (tags.empty()) return {};
  return {{.resource_type = resource, .tags = as_tags(tags)}};
}

const std::string& text(const api::Opt<std::string>& value) {
  static const std::string none;
  return value ? *value : none;
}

Tags read_tags(const api::List<api::ec2::Tag>& tags) {
  Tags all;
  for (const auto& tag : tags) all[text(tag.key)] = text(tag.value);
  return all;
}

std::string value_of(const Tags& tags, const std::string& key) {
  const auto found_tag = tags.find(key);
  return found_tag == tags.end() ? "" : found_tag->second;
}

Volume read_volume(const api::ec2::Volume& answered) {
  Volume volume{.id = text(answered.volume_id),
                .availability_zone = text(answered.availability_zone),
                .type = text(answered.volume_type),
                .state = text(answered.state),
                .size_gib = static_cast<int>(answered.size.value_or(0)),
                .iops = static_cast<int>(answered.iops.value_or(0)),
                .snapshot_id = text(answered.snapshot_id),
                .tags = read_tags(answered.tags)};
  if (answered.create_time) volume.created = std::chrono::floor<Duration>(*answered.create_time);
  for (const auto& attachment : answered.attachments)
    volume.attachments.push_back(
        {text(attachment.instance_id), text(attachment.device), text(attachment.state)});
  return volume;
}

Snapshot read_snapshot(const api::ec2::Snapshot& answered) {
  return {.id = text(answered.snapshot_id),
          .volume_id = text(answered.volume_id),
          .state = text(answered.state),
          .progress = text(answered.progress),
          .start_time = answered.start_time ? base::iso_time(*answered.start_time, 3) : "",
          .tags = read_tags(answered.tags)};
}

Instance read_instance(const api::ec2::Instance& answered) {
  Instance instance{.id = text(answered.instance_id),
                    .instance_type = text(answered.instance_type),
                    .spot_request_id = text(answered.spot_instance_request_id),
                    .tags = read_tags(answered.tags)};
  if (answered.placement) instance.availability_zone = text(answered.placement->availability_zone);
  if (answered.state) instance.state = text(answered.state->name);
  if (answered.launch_time) instance.launched = std::chrono::floor<Duration>(*answered.launch_time);
  return instance;
}

// Parses a request of the user. Throws std::invalid_argument if it is invalid.
template <class Op>
typename Op::Request read_request(const nlohmann::json& json) {
  typename Op::Request request;
  try {
    api::read_json_value(json, *Op::service().operations[Op::kAt].input.shape, &request,
                         api::JsonStyle::kPlain);
  } catch (const api::Refusal& refusal) {
    const char* what = "is no member that EC2 has";
    if (refusal.why == api::Refusal::Why::kType) what = "has a value of another type";
    if (refusal.why == api::Refusal::Why::kMalformed) what = "cannot be read";
    throw std::invalid_argument(fmt::format("{} {}{}{}", refusal.where, what,
                                            refusal.expected.empty() ? "" : ": expected ",
                                            refusal.expected));
  }
  return request;
}

// Runs `call`, and ignores the error that the resource does not exist.
template <class Call>
bool found(const char* not_found, Call call) {
  try {
    call();
    return true;
  } catch (const ApiError& error) {
    if (error.code() != not_found) throw;
    return false;
  }
}

}  // namespace

bool is_out_of_capacity(const ApiError& error) {
  constexpr std::array<std::string_view, 4> kCodes{
      "InsufficientInstanceCapacity", "SpotMaxPriceTooLow", "MaxSpotInstanceCountExceeded",
      "VcpuLimitExceeded"};
  return std::find(kCodes.begin(), kCodes.end(), error.code()) != kCodes.end();
}

std::string Volume::tag(const std::string& key) const { return value_of(tags, key); }
std::string Snapshot::tag(const std::string& key) const { return value_of(tags, key); }

std::vector<Volume> Ec2::describe_volumes(const std::vector<Filter>& filters) {
  std::vector<Volume> volumes;
  client_.call_paged<op::DescribeVolumes>({.filters = as_filters(filters)}, [&](const auto& page) {
    for (const auto& volume : page.volumes) volumes.push_back(read_volume(volume));
  });
  return volumes;
}

std::optional<Volume> Ec2::find_volume(const std::string& id) {
  std::optional<Volume> volume;
  found("InvalidVolume.NotFound", [&] {
    const auto answer = client_.call<op::DescribeVolumes>({.volume_ids = {id}});
    if (!answer->volumes.empty()) volume = read_volume(answer->volumes.front());
  });
  return volume;
}

Volume Ec2::create_volume(const NewVolume& volume) {
  return read_volume(*client_.call<op::CreateVolume>(
      {.availability_zone = volume.availability_zone,
       .client_token = client_.new_token(),
       .iops = unless_zero(volume.iops),
       .size = unless_zero(volume.size_gib),
       .snapshot_id = unless_empty(volume.snapshot_id),
       .tag_specifications = tag_specification("volume", volume.tags),
       .volume_type = volume.type}));
}

void Ec2::attach_volume(const std::string& id, const std::string& instance_id,
                        const std::string& device) {
  client_.call<op::AttachVolume>({.device = device, .instance_id = instance_id, .volume_id = id});
}

void Ec2::detach_volume(const std::string& id, const std::string& instance_id) {
  client_.call<op::DetachVolume>({.instance_id = instance_id, .volume_id = id});
}

void Ec2::delete_volume(const std::string& id) {
  try {
    found("InvalidVolume.NotFound", [&] { client_.call<op::DeleteVolume>({.volume_id = id}); });
  } catch (const ApiError& error) {
    // If the first answer was lost, the retry finds the effect of the first request.
    if (error.code() != "IncorrectState") throw;
    const auto now = find_volume(id);
    if (now && now->state != "deleting" && now->state != "deleted") throw;
  }
}

std::vector<Snapshot> Ec2::describe_snapshots(const std::vector<Filter>& filters) {
  std::vector<Snapshot> snapshots;
  client_.call_paged<op::DescribeSnapshots>({.filters = as_filters(filters), .owner_ids = {"self"}},
                                            [&](const auto& page) {
                                              for (const auto& snapshot : page.snapshots)
                                                snapshots.push_back(read_snapshot(snapshot));
                                            });
  return snapshots;
}

Snapshot Ec2::create_snapshot(const std::string& volume_id, const std::string& description,
                              const Tags& tags) {
  return read_snapshot(
      *client_.call<op::CreateSnapshot>({.description = description,
                                         .tag_specifications = tag_specification("snapshot", tags),
                                         .volume_id = volume_id}));
}

void Ec2::delete_snapshot(const std::string& id) {
  found("InvalidSnapshot.NotFound", [&] { client_.call<op::DeleteSnapshot>({.snapshot_id = id}); });
}

void Ec2::create_tags(const std::string& resource_id, const Tags& tags, Time until) {
  client_.call<op::CreateTags>({.resources = {resource_id}, .tags = as_tags(tags)}, until);
}

void Ec2::delete_tags(const std::string& resource_id, const std::vector<std::string>& keys) {
  api::List<api::ec2::Tag> tags;
  for (const auto& key : keys) tags.push_back({.key = key});
  client_.call<op::DeleteTags>({.resources = {resource_id}, .tags = tags});
}

std::vector<Instance> Ec2::describe_instances(const std::vector<Filter>& filters) {
  std::vector<Instance> instances;
  client_.call_paged<op::DescribeInstances>({.filters = as_filters(filters)},
                                            [&](const auto& page) {
                                              for (const auto& reservation : page.reservations)
                                                for (const auto& instance : reservation.instances)
                                                  instances.push_back(read_instance(instance));
                                            });
  return instances;
}

std::optional<Instance> Ec2::find_instance(const std::string& id) {
  std::optional<Instance> instance;
  found("InvalidInstanceID.NotFound", [&] {
    const auto answer = client_.call<op::DescribeInstances>({.instance_ids = {id}});
    if (answer->reservations.empty() || answer->reservations.front().instances.empty()) return;
    instance = read_instance(answer->reservations.front().instances.front());
  });
  return instance;
}

std::string Ec2::run_instance(const NewInstance& instance) {
  op::RunInstances::Request request{
      .client_token = instance.client_token.empty() ? client_.new_token() : instance.client_token,
      .image_id = instance.image_id,
      .instance_initiated_shutdown_behavior = "terminate",
      .instance_type = instance.instance_type,
      .key_name = unless_empty(instance.key_name),
      .max_count = 1,
      .min_count = 1,
      .security_group_ids = instance.security_group_ids,
      .subnet_id = unless_empty(instance.subnet_id),
      .tag_specifications = tag_specification("instance", instance.tags),
      .user_data = base::base64_encode(instance.user_data)};
  if (!instance.max_price.empty())
    request.instance_market_options = api::ec2::InstanceMarketOptionsRequest{
        .market_type = "spot",
        .spot_options = api::ec2::SpotMarketOptions{.max_price = instance.max_price,
                                                    .spot_instance_type = "one-time"}};
  if (!instance.availability_zone.empty())
    request.placement = api::ec2::Placement{.availability_zone = instance.availability_zone};
  if (const auto& profile = instance.iam_instance_profile; !profile.empty()) {
    auto& named = request.iam_instance_profile.emplace();
    (profile.starts_with("arn:") ? named.arn : named.name) = profile;
  }
  const auto answer = client_.call<op::RunInstances>(request);
  return answer->instances.empty() ? "" : text(answer->instances.front().instance_id);
}

void Ec2::terminate_instance(const std::string& id) {
  client_.call<op::TerminateInstances>({.instance_ids = {id}});
}

std::vector<SpotPrice> Ec2::spot_prices(const std::vector<std::string>& instance_types, Time now) {
  std::map<std::pair<std::string, std::string>, SpotPrice> newest;  // comes first
  client_.call_paged<op::DescribeSpotPriceHistory>(
      {.instance_types = instance_types, .product_descriptions = {"Linux/UNIX"}, .start_time = now},
      [&](const auto& page) {
        for (const auto& item : page.spot_price_history) {
          SpotPrice price{.instance_type = text(item.instance_type),
                          .availability_zone = text(item.availability_zone),
                          .dollars = std::strtod(text(item.spot_price).c_str(), nullptr)};
          newest.emplace(std::pair(price.instance_type, price.availability_zone), price);
        }
      });
  std::vector<SpotPrice> prices;
  for (auto& [pool, price] : newest) prices.push_back(std::move(price));
  return prices;
}

std::string Ec2::spot_request_status(const std::string& id) {
  std::string code;
  found("InvalidSpotInstanceRequestID.NotFound", [&] {
    const auto answer =
        client_.call<op::DescribeSpotInstanceRequests>({.spot_instance_request_ids = {id}});
    const auto& requests = answer->spot_instance_requests;
    if (!requests.empty() && requests.front().status) code = text(requests.front().status->code);
  });
  return code;
}

void Ec2::cancel_spot_request(const std::string& id) {
  client_.call<op::CancelSpotInstanceRequests>({.spot_instance_request_ids = {id}});
}

bool Ec2::create_launch_template(const std::string& name, const nlohmann::json& data) {
  const auto request = read_request<op::CreateLaunchTemplate>(
      {{"LaunchTemplateName", name}, {"LaunchTemplateData", data}});
  return found("InvalidLaunchTemplateName.AlreadyExistsException",
               [&] { client_.call<op::CreateLaunchTemplate>(request); });
}

std::string Ec2::request_spot_fleet(const nlohmann::json& config) {
  const auto answer = client_.call<op::RequestSpotFleet>(
      read_request<op::RequestSpotFleet>({{"SpotFleetRequestConfig", config}}));
  return text(answer->spot_fleet_request_id);
}

std::vector<std::string> Ec2::fleet_instances(const std::string& id) {
  std::vector<std::string> ids;
  client_.call_paged<op::DescribeSpotFleetInstances>(
      {.spot_fleet_request_id = id}, [&](const auto& page) {
        for (const auto& instance : page.active_instances)
          ids.push_back(text(instance.instance_id));
      });
  return ids;
}

void Ec2::cancel_spot_fleet(const std::string& id) {
  const auto answer = client_.call<op::CancelSpotFleetRequests>(
      {.spot_fleet_request_ids = {id}, .terminate_instances = true});
  // EC2 answers 200 for a fleet that it did not cancel. The error is in the body.
  for (const auto& refused : answer->unsuccessful_fleet_requests)
    if (refused.error)
      throw ApiError("CancelSpotFleetRequests", 400, text(refused.error->code),
                     text(refused.error->message));
}

}  // namespace spotrun::aws
