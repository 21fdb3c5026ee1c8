#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"

namespace fakes::ec2 {
namespace {

using sim::market::Pool;
using Values = std::vector<std::string>;

constexpr const char* kProduct = "Linux/UNIX";

// EC2 writes six decimals: "0.918000"; more only where a trace has more.
std::string six_decimals(sim::market::Usd price) {
  if (price.nano % 1000 != 0) return sim::market::format_usd(price);
  return fmt::format("{}.{:06}", price.nano / 1'000'000'000, price.nano / 1000 % 1'000'000);
}

struct Point {
  Pool pool;
  sim::Time at;
  std::string price;
};

constexpr FilterRow<Point> kSpotPriceFilters[] = {
    {"availability-zone",
     [](const Point& p, Backend&) { return Values{p.pool.availability_zone}; }},
    {"instance-type", [](const Point& p, Backend&) { return Values{p.pool.instance_type}; }},
    {"product-description", [](const Point&, Backend&) { return Values{kProduct}; }},
    {"spot-price", [](const Point& p, Backend&) { return Values{p.price}; }},
    {"timestamp", [](const Point& p, Backend&) { return Values{sim::iso_seconds(p.at)}; }},
};

bool prices_asked_for(const Values& asked, const std::string& value) {
  return asked.empty() || std::find(asked.begin(), asked.end(), value) != asked.end();
}

}  // namespace

void describe_spot_price_history(Call& call) {
  const auto types = call.in.list("InstanceType");
  const auto products = call.in.list("ProductDescription");
  const auto zone = call.in.text("AvailabilityZone");
  // Ninety days are kept; what is yet to come is nobody's to know.
  const auto oldest = call.now - std::chrono::hours{24 * 90};
  const auto from = std::max(call.in.time("StartTime").value_or(oldest), oldest);
  const auto to = std::min(call.in.time("EndTime").value_or(call.now), call.now);
  const Filters<Point> filters(call.in, kSpotPriceFilters);
  const Page page(call.in, 1, 1000, 1000);
  call.start();

  const bool linux_asked =
      prices_asked_for(products, kProduct) || prices_asked_for(products, "Linux/UNIX (Amazon VPC)");
  std::vector<Point> points;
  for (const auto& pool : call.cloud.market().pools()) {
    const bool asked = linux_asked && prices_asked_for(types, pool.instance_type) &&
                       (!zone || *zone == pool.availability_zone);
    // A start in the future asks for the prices that are in force now.
    if (!asked || to < std::min(from, call.now)) continue;
    for (const auto& point : call.cloud.market().spot_prices(pool, std::min(from, to), to)) {
      points.push_back({pool, point.at, six_decimals(point.price)});
    }
  }
  std::erase_if(points, [&](const Point& p) { return !filters.match(p, call.backend); });
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.at > b.at; });
  page.cut(points, call.out);
  Node set = call.out.append_child("spotPriceHistorySet");
  for (const auto& point : points) {
    Node item = set.append_child("item");
    add_text(item, "instanceType", point.pool.instance_type);
    add_text(item, "productDescription", kProduct);
    add_text(item, "spotPrice", point.price);
    add_time(item, "timestamp", point.at);
    add_text(item, "availabilityZone", point.pool.availability_zone);
  }
}

}  // namespace fakes::ec2
