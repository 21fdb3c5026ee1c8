#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::market::Pool;
using Values = std::vector<std::string>;

constexpr const char* kProduct = "Linux/UNIX";
constexpr const char* kProductInVpc = "Linux/UNIX (Amazon VPC)";

struct Point {
  Pool pool;
  sim::Time at;
  std::string price;
};

constexpr FilterRow<Point> kSpotPriceFilters[] = {
    {"availability-zone",
     [](const Point& p, Backend&) { return Values{p.pool.availability_zone}; }},
    {"availability-zone-id",
     [](const Point& p, Backend&) { return Values{zone_id(p.pool.availability_zone)}; }},
    {"instance-type", [](const Point& p, Backend&) { return Values{p.pool.instance_type}; }},
    {"product-description",
     [](const Point&, Backend&) {
       return Values{kProduct, kProductInVpc};
     }},
    {"spot-price", [](const Point& p, Backend&) { return Values{p.price}; }},
    {"timestamp", [](const Point& p, Backend&) { return Values{sim::iso_seconds(p.at)}; }},
};

bool prices_asked_for(const Values& asked, const std::string& value) {
  return asked.empty() || std::find(asked.begin(), asked.end(), value) != asked.end();
}

// The prices of the requested pools, newest first.
std::vector<Point> points_between(const Call& call,
                                  const aws::DescribeSpotPriceHistoryRequest& request,
                                  sim::Time from, sim::Time to) {
  const auto& products = request.product_descriptions;
  const auto& zone = request.availability_zone;
  const bool linux_asked =
      prices_asked_for(products, kProduct) || prices_asked_for(products, kProductInVpc);
  std::vector<Point> points;
  for (const auto& pool : call.cloud.market().pools()) {
    const bool asked = linux_asked &&
                       prices_asked_for(request.instance_types, pool.instance_type) &&
                       (!zone || *zone == pool.availability_zone);
    // A start in the future requests the present prices.
    if (!asked || to < std::min(from, call.now)) continue;
    for (const auto& point : call.cloud.market().spot_prices(pool, std::min(from, to), to))
      points.push_back({pool, point.at, six_decimals(point.price)});
  }
  std::ranges::stable_sort(points, [](const Point& a, const Point& b) { return a.at > b.at; });
  return points;
}

void check_zone(const Call& call, const api::Opt<std::string>& zone) {
  const auto& zones = call.cloud.config().availability_zones;
  if (zone && std::ranges::find(zones, *zone) == zones.end())
    throw sim::cloud::ApiError("InvalidParameterValue",
                               "Invalid availability zone: [" + *zone + "]");
}

}  // namespace

aws::DescribeSpotPriceHistoryResult describe_spot_price_history(
    Call& call, const aws::DescribeSpotPriceHistoryRequest& request) {
  const Filters<Point> filters(request.filters, kSpotPriceFilters);
  const Page page(request, {.of = "prices", .low = 1, .high = 1000, .most = 1000});
  check_zone(call, request.availability_zone);
  // The history has ninety days, and no future prices.
  const auto oldest = call.now - std::chrono::hours{24 * 90};
  const auto from = request.start_time ? std::max(time(*request.start_time), oldest) : oldest;
  const auto to = request.end_time ? std::min(time(*request.end_time), call.now) : call.now;

  auto points = points_between(call, request, from, to);
  std::erase_if(points, [&](const Point& p) { return !filters.match(p, call.backend); });
  aws::DescribeSpotPriceHistoryResult response{.next_token = page.cut(points)};
  response.spot_price_history.give();
  for (const auto& point : points)
    response.spot_price_history.push_back({.availability_zone = point.pool.availability_zone,
                                           .instance_type = point.pool.instance_type,
                                           .product_description = kProduct,
                                           .spot_price = point.price,
                                           .timestamp = timestamp(point.at)});
  return response;
}

}  // namespace fakes::ec2
