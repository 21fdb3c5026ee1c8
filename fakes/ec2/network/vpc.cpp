#include "fakes/ec2/network/vpc.h"

#include <fmt/format.h>

#include "sim/market/zones.h"

namespace fakes::ec2 {

std::string vpc_of(const Backend& backend, const sim::cloud::Instance& instance) {
  const auto& subnets = backend.cloud.network().subnets.table;
  const std::string& subnet = instance.spec.subnet_id;
  return subnets.has(subnet) ? subnets.find(subnet).vpc : "";
}

api::Opt<std::string> security_group_name(const Backend& backend, const std::string& id) {
  const auto& groups = backend.cloud.network().groups.table;
  return groups.has(id) ? api::Opt<std::string>(groups.find(id).name) : std::nullopt;
}

std::string zone_id(const std::string& availability_zone) {
  return sim::market::zone_id(availability_zone);
}

std::string arn(const Call& call, std::string_view type, const std::string& id) {
  const auto& config = call.cloud.config();
  return fmt::format("arn:aws:ec2:{}:{}:{}/{}", config.region, config.account_id, type, id);
}

void tag_new(Call& call, const std::string& id, const sim::cloud::Tags& tags) {
  call.cloud.create_tags({id}, tags);
}

}  // namespace fakes::ec2
