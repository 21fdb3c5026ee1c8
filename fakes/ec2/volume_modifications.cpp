// ModifyVolume, DescribeVolumesModifications, and the attributes of volumes.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::Volume;
using sim::cloud::VolumeModification;
using Values = std::vector<std::string>;

// The latest modification of a volume, which is the one that EC2 describes.
struct Modified {
  const Volume* volume;
  const VolumeModification* modification;
};

template <sim::cloud::VolumeSettings VolumeModification::*kWhich, auto kSetting>
Values setting(const Modified& m, Backend&) {
  return Values{std::to_string(m.modification->*kWhich.*kSetting)};
}

template <sim::cloud::VolumeSettings VolumeModification::*kWhich>
Values type_of(const Modified& m, Backend&) {
  return Values{(m.modification->*kWhich).type};
}

constexpr auto kOriginal = &VolumeModification::original;
constexpr auto kTarget = &VolumeModification::target;
using Settings = sim::cloud::VolumeSettings;

constexpr FilterRow<Modified> kModificationFilters[] = {
    {"modification-state",
     [](const Modified& m, Backend&) { return Values{std::string(name(m.modification->state))}; }},
    {"original-iops", setting<kOriginal, &Settings::iops>},
    {"original-size", setting<kOriginal, &Settings::size_gib>},
    {"original-volume-type", type_of<kOriginal>},
    {"originalMultiAttachEnabled", [](const Modified&, Backend&) { return Values{"false"}; }},
    {"start-time",
     [](const Modified& m, Backend&) {
       return Values{sim::iso_milliseconds(m.modification->started_at)};
     }},
    {"target-iops", setting<kTarget, &Settings::iops>},
    {"target-size", setting<kTarget, &Settings::size_gib>},
    {"target-volume-type", type_of<kTarget>},
    {"targetMultiAttachEnabled", [](const Modified&, Backend&) { return Values{"false"}; }},
    {"volume-id", [](const Modified& m, Backend&) { return Values{m.volume->id.value}; }},
};

std::int64_t progress(const VolumeModification& modification, sim::Time now) {
  if (modification.completed_at) return 100;
  if (!modification.optimizing_at) return 0;
  const double part =
      sim::seconds(now - *modification.optimizing_at) / sim::seconds(modification.duration);
  return std::clamp(static_cast<int>(part * 100), 0, 99);
}

api::Opt<std::int64_t> unless_zero(int setting) {
  return setting > 0 ? api::Opt<std::int64_t>(setting) : std::nullopt;
}

aws::VolumeModification shown(const Call& call, const Volume& volume,
                              const VolumeModification& modification) {
  const Settings &from = modification.original, &to = modification.target;
  aws::VolumeModification out{.modification_state = std::string(name(modification.state)),
                              .original_iops = unless_zero(from.iops),
                              .original_multi_attach_enabled = false,
                              .original_size = from.size_gib,
                              .original_throughput = unless_zero(from.throughput),
                              .original_volume_type = from.type,
                              .progress = progress(modification, call.now),
                              .start_time = timestamp(modification.started_at),
                              .target_iops = unless_zero(to.iops),
                              .target_multi_attach_enabled = false,
                              .target_size = to.size_gib,
                              .target_throughput = unless_zero(to.throughput),
                              .target_volume_type = to.type,
                              .volume_id = volume.id.value};
  if (modification.completed_at) out.end_time = timestamp(*modification.completed_at);
  return out;
}

std::optional<int> given(const api::Opt<std::int64_t>& value) {
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

// A volume that a request names. EC2 refuses a volume that was never modified.
const Volume& modified(const Call& call, const std::string& id) {
  const Volume& volume = call.cloud.shown(volume_id(id));
  if (volume.modifications.empty())
    throw ApiError("InvalidVolumeModification.NotFound",
                   fmt::format("Modification for volume '{}' does not exist.", id));
  return volume;
}

std::vector<const Volume*> modified_volumes(const Call& call, const api::List<std::string>& ids) {
  std::vector<const Volume*> volumes;
  for (const std::string& id : ids) volumes.push_back(&modified(call, id));
  if (!ids.empty()) return volumes;
  for (const auto& [id, volume] : call.cloud.volumes())
    if (call.cloud.shows(volume) && !volume.modifications.empty()) volumes.push_back(&volume);
  return volumes;
}

}  // namespace

op::ModifyVolume::Response modify_volume(Call& call, const op::ModifyVolume::Request& request) {
  const Volume& volume = call.cloud.shown(volume_id(required(request.volume_id, "VolumeId")));
  check_range(request.size, "Size", 1, 65536);
  check_range(request.iops, "Iops", 1, 1'000'000);
  check_range(request.throughput, "Throughput", 1, 10'000);
  if (request.multi_attach_enabled.value_or(false)) throw unsupported("MultiAttachEnabled");
  if (!request.size && !request.volume_type && !request.iops && !request.throughput)
    throw ApiError("InvalidParameterCombination", "No attributes specified.");
  sim::cloud::VolumeChange change{.size_gib = given(request.size),
                                  .iops = given(request.iops),
                                  .throughput = given(request.throughput)};
  if (request.volume_type) change.type = *request.volume_type;
  const VolumeModification& begun = call.cloud.modify_volume(volume.id, change);
  return {.volume_modification = shown(call, volume, begun)};
}

op::DescribeVolumesModifications::Response describe_volumes_modifications(
    Call& call, const op::DescribeVolumesModifications::Request& request) {
  const Filters<Modified> filters(request.filters, kModificationFilters);
  const Page page(request, {.of = "modifications", .low = 1, .high = 500, .cut_down = true});
  std::vector<Modified> found;
  for (const Volume* volume : modified_volumes(call, request.volume_ids)) {
    const Modified latest{volume, &volume->modifications.back()};
    if (filters.match(latest, call.backend)) found.push_back(latest);
  }
  op::DescribeVolumesModifications::Response response{.next_token = page.cut(found)};
  response.volumes_modifications.give();
  for (const auto& [volume, modification] : found)
    response.volumes_modifications.push_back(shown(call, *volume, *modification));
  return response;
}

op::DescribeVolumeAttribute::Response describe_volume_attribute(
    Call& call, const op::DescribeVolumeAttribute::Request& request) {
  const Volume& volume = call.cloud.shown(volume_id(required(request.volume_id, "VolumeId")));
  op::DescribeVolumeAttribute::Response response{.volume_id = volume.id.value};
  if (required(request.attribute, "Attribute") == "autoEnableIO")
    response.auto_enable_io.emplace().value = volume.auto_enable_io;
  else
    response.product_codes.give();
  return response;
}

op::ModifyVolumeAttribute::Response modify_volume_attribute(
    Call& call, const op::ModifyVolumeAttribute::Request& request) {
  const Volume& volume = call.cloud.shown(volume_id(required(request.volume_id, "VolumeId")));
  if (!request.auto_enable_io || !request.auto_enable_io->value) throw missing("AutoEnableIO");
  call.cloud.set_auto_enable_io(volume.id, *request.auto_enable_io->value);
  return {};
}

}  // namespace fakes::ec2
