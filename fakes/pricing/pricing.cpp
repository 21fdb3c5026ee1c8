#include "fakes/pricing/actions.h"
#include "fakes/service.h"

namespace fakes {

const Service& pricing_service() {
  using namespace pricing;
  static const ActionRow rows[] = {action<op::DescribeServices, describe_services>(),
                                   action<op::GetAttributeValues, get_attribute_values>(),
                                   action<op::GetProducts, get_products>()};
  // The Price List Query API's endpoints (AWS Billing User Guide).
  static constexpr std::string_view kRegions[] = {"us-east-1", "eu-central-1", "ap-south-1"};
  static const Service service{
      .model = api::pricing::kService, .actions = rows, .host = "api.pricing", .regions = kRegions};
  return service;
}

}  // namespace fakes
