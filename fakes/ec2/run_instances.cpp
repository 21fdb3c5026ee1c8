#include <fmt/format.h>

#include <optional>
#include <string>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/requests.h"
#include "fakes/ec2/run_template.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

struct SpotTerms {
  std::string type;
  std::optional<sim::Time> valid_until;
};

// Reads the market options into `spec`, and returns the terms of the spot request.
SpotTerms read_spot(const aws::InstanceMarketOptionsRequest& market, sim::cloud::LaunchSpec& spec) {
  choice(market.market_type, "InstanceMarketOptions.MarketType", {"spot"});
  const aws::SpotMarketOptions options =
      market.spot_options ? *market.spot_options : aws::SpotMarketOptions{};
  const std::string type =
      choice(options.spot_instance_type, "InstanceMarketOptions.SpotOptions.SpotInstanceType",
             {"one-time", "persistent"});
  read_interruption_behavior(options.instance_interruption_behavior,
                             "InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior", type,
                             spec);
  if (type == "one-time" && spec.stops_itself)
    throw ApiError("InvalidParameterCombination",
                   "An instance of a one-time Spot Instance request cannot stop: found "
                   "InstanceInitiatedShutdownBehavior stop, expected terminate.");
  // EC2 API reference, SpotMarketOptions.
  if (type == "persistent" && !spec.stops_when_interrupted)
    throw ApiError("InvalidParameterCombination",
                   "A persistent Spot Instance request of RunInstances needs the interruption "
                   "behavior stop or hibernate.");
  if (type == "one-time" && options.valid_until)
    throw ApiError(
        "InvalidParameterCombination",
        "The parameter validUntil cannot be specified when the SpotRequestType is set to "
        "'one-time'.");
  spec.max_price = price(options.max_price, "InstanceMarketOptions.SpotOptions.MaxPrice");
  SpotTerms terms{.type = type};
  if (options.valid_until) terms.valid_until = time(*options.valid_until);
  return terms;
}

// EC2 API reference, RunInstances: the default is stop. A spot instance terminates unless the
// request says otherwise.
bool stops_itself(const aws::RunInstancesRequest& request) {
  const auto& behavior = request.instance_initiated_shutdown_behavior;
  if (!behavior) return !request.instance_market_options;
  return choice(behavior, "InstanceInitiatedShutdownBehavior", {"stop", "terminate"}) == "stop";
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
  auto specs = read_launch(call, request);
  if (specs.size() != 1)
    throw ApiError("InvalidParameterValue", "RunInstances takes one Availability Zone or subnet.");
  read_metadata_options(request.metadata_options, specs[0]);
  specs[0].hibernation =
      request.hibernation_options && request.hibernation_options->configured.value_or(false);
  specs[0].stops_itself = stops_itself(request);
  if (!specs[0].network_interface.empty() && request.max_count.value_or(1) > 1)
    throw ApiError("InvalidParameterCombination",
                   "A network interface with an ID is for one instance: found MaxCount above 1.");
  specs[0].disable_api_termination = request.disable_api_termination.value_or(false);
  const auto tags_of = [&](std::string_view type) {
    return read_tag_specifications(
        request.tag_specifications, type,
        {"instance", "volume", "network-interface", "spot-instances-request"});
  };
  specs[0].tags = tags_of("instance");
  specs[0].volume_tags = tags_of("volume");
  specs[0].request_tags = tags_of("spot-instances-request");
  return specs[0];
}

}  // namespace

aws::Reservation run_instances(Call& call, const aws::RunInstancesRequest& asked) {
  check_counts(asked);
  const aws::RunInstancesRequest request = with_template(call, asked);
  auto spec = read_spec(call, request);
  std::optional<SpotTerms> spot;
  if (request.instance_market_options) spot = read_spot(*request.instance_market_options, spec);
  if (asked.launch_template) name_template(call, *asked.launch_template, spec);
  const int least = static_cast<int>(*request.min_count);
  const int most = static_cast<int>(*request.max_count);
  const auto launched =
      spot ? call.cloud.run_spot_instances(spec, least, most, spot->type, spot->valid_until)
           : call.cloud.run_instances(spec, least, most);
  aws::Reservation response{
      .groups = api::List<aws::GroupIdentifier>().give(),
      .owner_id = call.cloud.config().account_id,
      .reservation_id = call.cloud.instance(launched.at(0)).reservation.value};
  for (const auto& id : launched)
    response.instances.push_back(shown(call, call.cloud.instance(id)));
  return response;
}

}  // namespace fakes::ec2
