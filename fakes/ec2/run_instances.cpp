#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/requests.h"
#include "fakes/ec2/run_template.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

// Reads the market options. The maximum price of a spot instance is stored in `spec`.
void read_spot(const aws::InstanceMarketOptionsRequest& market, sim::cloud::LaunchSpec& spec) {
  choice(market.market_type, "InstanceMarketOptions.MarketType", {"spot"});
  if (!market.spot_options) return;
  // A persistent request must stop or hibernate its instances, which is not modelled.
  const auto& options = *market.spot_options;
  choice(options.spot_instance_type, "InstanceMarketOptions.SpotOptions.SpotInstanceType",
         {"one-time"});
  choice(options.instance_interruption_behavior,
         "InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior", {"terminate"});
  spec.max_price = price(options.max_price, "InstanceMarketOptions.SpotOptions.MaxPrice");
}

void check_counts(const aws::RunInstancesRequest& request) {
  check_range(request.max_count, "MaxCount", 1, 1000);
  check_range(request.min_count, "MinCount", 1, 1000);
  if (*request.min_count <= *request.max_count) return;
  throw ApiError("InvalidParameterCombination",
                 fmt::format("You cannot specify MinCount={} with MaxCount={}", *request.min_count,
                             *request.max_count));
}

sim::cloud::LaunchSpec read_spec(const Call& call, const aws::RunInstancesRequest& request) {
  // Stopping is not modelled.
  choice(request.instance_initiated_shutdown_behavior, "InstanceInitiatedShutdownBehavior",
         {"terminate"});
  auto specs = read_launch(call, request);
  if (specs.size() != 1)
    throw ApiError("InvalidParameterValue", "RunInstances takes one Availability Zone or subnet.");
  read_metadata_options(request.metadata_options, specs[0]);
  specs[0].disable_api_termination = request.disable_api_termination.value_or(false);
  const auto tags_of = [&](std::string_view type) {
    return read_tag_specifications(
        request.tag_specifications, type,
        {"instance", "volume", "network-interface", "spot-instances-request"});
  };
  specs[0].tags = tags_of("instance");
  specs[0].volume_tags = tags_of("volume");
  specs[0].request_tags = tags_of("spot-instances-request");
  if (request.instance_market_options) read_spot(*request.instance_market_options, specs[0]);
  return specs[0];
}

}  // namespace

aws::Reservation run_instances(Call& call, const aws::RunInstancesRequest& asked) {
  check_counts(asked);
  const aws::RunInstancesRequest request = with_template(call, asked);
  auto spec = read_spec(call, request);
  if (asked.launch_template) name_template(call, *asked.launch_template, spec);
  const int least = static_cast<int>(*request.min_count);
  const int most = static_cast<int>(*request.max_count);
  const auto launched = request.instance_market_options
                            ? call.cloud.run_spot_instances(spec, least, most)
                            : call.cloud.run_instances(spec, most);
  aws::Reservation response{
      .groups = api::List<aws::GroupIdentifier>().give(),
      .owner_id = call.cloud.config().account_id,
      .reservation_id = call.cloud.instance(launched.at(0)).reservation.value};
  for (const auto& id : launched)
    response.instances.push_back(shown(call, call.cloud.instance(id)));
  return response;
}

}  // namespace fakes::ec2
