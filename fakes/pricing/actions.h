// The actions of the Price List Query API.
#pragma once

#include "api/pricing.h"
#include "fakes/action.h"

namespace fakes::pricing {

namespace op = api::pricing::op;

// ---- products.cpp
op::GetProducts::Response get_products(Call&, const op::GetProducts::Request&);

// ---- attributes.cpp
op::DescribeServices::Response describe_services(Call&, const op::DescribeServices::Request&);
op::GetAttributeValues::Response get_attribute_values(Call&,
                                                      const op::GetAttributeValues::Request&);

}  // namespace fakes::pricing
