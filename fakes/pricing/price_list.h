// The price list of the simulator as products in AWS's form: what it bills, at the prices that it
// bills (AWS Billing User Guide, "Reading the service price list file for an AWS service").
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/backend.h"
#include "sim/market/usd.h"

namespace fakes::pricing {

struct Product {
  std::string service;  // "AmazonEC2"
  std::string family;   // "Compute Instance"
  std::map<std::string, std::string> attributes = {};
  std::string unit, description = {};
  sim::market::Usd price{};  // per `per` units
  std::int64_t per = 1;
  sim::Time since{};
};

// Whether products with this value of an attribute are needed. It may answer true for any of them.
using MayNeed = std::function<bool(std::string_view attribute, const std::string& value)>;

// The codes of the services that have prices here, in order.
inline constexpr std::string_view kServiceCodes[] = {"AmazonCloudWatch", "AmazonEC2", "AmazonS3"};

// The products of a service at the backend's time. On-demand instances are those of every region
// with a known price; all other products are those of the backend's region.
std::vector<Product> products(const Backend& backend, std::string_view service,
                              const MayNeed& may_need);

// A product's attributes with `productFamily` and `termType`, which filters can name, too.
std::map<std::string, std::string> filterable(const Product& product);

// The product and its terms as an element of PriceList.
std::string price_list_item(const Product& product);

}  // namespace fakes::pricing
