// CreatePlacementGroup, DescribePlacementGroups and DeletePlacementGroup.
#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::vpc::PlacementGroup;
using Values = std::vector<std::string>;

// EC2 User Guide, "Placement groups for your Amazon EC2 instances": up to seven in each zone.
constexpr std::int64_t kMostPartitions = 7;
// What the console proposes, for a request without a number.
constexpr int kPartitions = 2;
constexpr const char* kRack = "rack";

std::string placement_group_arn(const Backend& backend, const PlacementGroup& group) {
  const auto& config = backend.cloud.config();
  return fmt::format("arn:aws:ec2:{}:{}:placement-group/{}", config.region, config.account_id,
                     group.name);
}

constexpr FilterRow<PlacementGroup> kPlacementGroupFilters[] = {
    {"group-arn",
     [](const PlacementGroup& g, Backend& w) { return Values{placement_group_arn(w, g)}; }},
    {"group-id", [](const PlacementGroup& g, Backend&) { return Values{g.id}; }},
    {"group-name", [](const PlacementGroup& g, Backend&) { return Values{g.name}; }},
    {"spread-level", [](const PlacementGroup& g,
                        Backend&) { return g.strategy == "spread" ? Values{kRack} : Values{}; }},
    {"state", [](const PlacementGroup&, Backend&) { return Values{"available"}; }},
    {"strategy", [](const PlacementGroup& g, Backend&) { return Values{g.strategy}; }},
};

aws::PlacementGroup shown(const Call& call, const PlacementGroup& group) {
  aws::PlacementGroup out{.group_arn = placement_group_arn(call.backend, group),
                          .group_id = group.id,
                          .group_name = group.name,
                          .state = "available",
                          .strategy = group.strategy,
                          .tags = shown_tags(group.tags)};
  if (group.partitions > 0) out.partition_count = group.partitions;
  if (group.strategy == "spread") out.spread_level = kRack;
  return out;
}

int read_partitions(const aws::CreatePlacementGroupRequest& request, const std::string& strategy) {
  check_range(request.partition_count, "partitionCount", 1, kMostPartitions);
  if (strategy == "partition")
    return static_cast<int>(request.partition_count.value_or(kPartitions));
  if (request.partition_count)
    throw sim::cloud::ApiError("InvalidParameterCombination",
                               "PartitionCount is valid only with the strategy partition.");
  return 0;
}

}  // namespace

aws::CreatePlacementGroupResult create_placement_group(
    Call& call, const aws::CreatePlacementGroupRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "placement-group");
  const std::string& name = required(request.group_name, "groupName");
  if (name.size() > 255) throw invalid("groupName", name, "Expected at most 255 characters.");
  const std::string& strategy = required(request.strategy, "strategy");
  const int partitions = read_partitions(request, strategy);
  if (request.spread_level && strategy != "spread")
    throw sim::cloud::ApiError("InvalidParameterCombination",
                               "SpreadLevel is valid only with the strategy spread.");
  choice(request.spread_level, "spreadLevel", {kRack});
  const PlacementGroup& made =
      call.cloud.network().placement_groups.create(name, strategy, partitions);
  tag_new(call, made.id, tags);
  return {.placement_group = shown(call, made)};
}

aws::DescribePlacementGroupsResult describe_placement_groups(
    Call& call, const aws::DescribePlacementGroupsRequest& request) {
  const Filters<PlacementGroup> filters(request.filters, kPlacementGroupFilters,
                                        resource_tags<PlacementGroup>);
  const auto& groups = call.cloud.network().placement_groups;
  api::List<std::string> ids = request.group_ids;
  for (const auto& name : request.group_names) ids.push_back(groups.find(name).id);
  const auto found = filters.of(groups.table.all(), "group-id", call.backend, ids,
                                [&](const auto& id) -> const PlacementGroup& {
                                  if (!groups.table.has(id)) return groups.find(id);  // throws
                                  return groups.table.find(id);
                                });
  aws::DescribePlacementGroupsResult response;
  response.placement_groups.give();
  for (const PlacementGroup* group : found)
    response.placement_groups.push_back(shown(call, *group));
  return response;
}

op::DeletePlacementGroup::Response delete_placement_group(
    Call& call, const aws::DeletePlacementGroupRequest& request) {
  call.cloud.network().placement_groups.remove(required(request.group_name, "groupName"));
  return {};
}

}  // namespace fakes::ec2
