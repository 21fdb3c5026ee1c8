#include "sim/market/ml_prices.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>

#include "sim/market/attributes.h"

namespace sim::market {
namespace {

struct ListedPrice {
  std::string_view instance_type;
  double usd_per_hour;
};

// SageMaker's on-demand prices for training in us-east-1, us-east-2 and us-west-2, which are equal.
// Sources for g5 to g7e, p4d and p5: AWS's price API (service AmazonSageMaker), recorded by several
// public programs from June to August 2026. Sources for the others: AWS's pricing page as quoted in
// goerlitz/nlp-classification (p3, p3dn, g4dn), and the price tables of JHUAPL-DTC-TA2/wiki and
// ZindiAfrica/AI-for-Equity-Challenges (t3, m5, c5, r5).
constexpr ListedPrice kListed[] = {
    {"t3.medium", 0.05},       {"t3.large", 0.1},         {"t3.xlarge", 0.2},
    {"t3.2xlarge", 0.399},     {"m5.large", 0.115},       {"m5.xlarge", 0.23},
    {"m5.2xlarge", 0.461},     {"m5.4xlarge", 0.922},     {"m5.12xlarge", 2.765},
    {"m5.24xlarge", 5.53},     {"c5.large", 0.102},       {"c5.xlarge", 0.204},
    {"c5.2xlarge", 0.408},     {"c5.4xlarge", 0.816},     {"c5.9xlarge", 1.836},
    {"r5.2xlarge", 0.605},     {"r5.4xlarge", 1.21},      {"r5.8xlarge", 2.419},
    {"r5.16xlarge", 4.838},    {"g4dn.xlarge", 0.7364},   {"g4dn.2xlarge", 0.94},
    {"g4dn.4xlarge", 1.505},   {"g4dn.8xlarge", 2.72},    {"g4dn.12xlarge", 4.89},
    {"g4dn.16xlarge", 5.44},   {"g5.xlarge", 1.408},      {"g5.2xlarge", 1.515},
    {"g5.4xlarge", 2.03},      {"g5.8xlarge", 3.06},      {"g5.12xlarge", 7.09},
    {"g5.16xlarge", 5.12},     {"g5.24xlarge", 10.18},    {"g5.48xlarge", 20.36},
    {"g6.xlarge", 1.1267},     {"g6.2xlarge", 1.222},     {"g6.4xlarge", 1.654},
    {"g6.8xlarge", 2.518},     {"g6.12xlarge", 5.752},    {"g6.16xlarge", 4.246},
    {"g6.24xlarge", 8.344},    {"g6.48xlarge", 16.688},   {"g6e.xlarge", 2.61},
    {"g6e.2xlarge", 2.8},      {"g6e.4xlarge", 3.76},     {"g6e.8xlarge", 5.6607},
    {"g6e.12xlarge", 13.12},   {"g6e.24xlarge", 18.83},   {"g6e.48xlarge", 37.66},
    {"g7e.2xlarge", 4.2039},   {"g7e.4xlarge", 4.9977},   {"g7e.8xlarge", 6.5853},
    {"g7e.12xlarge", 10.3576}, {"g7e.24xlarge", 20.7152}, {"g7e.48xlarge", 41.4304},
    {"p2.xlarge", 1.125},      {"p3.2xlarge", 3.825},     {"p3.8xlarge", 14.688},
    {"p3.16xlarge", 28.152},   {"p3dn.24xlarge", 35.894}, {"p4d.24xlarge", 25.251286},
    {"p5.48xlarge", 63.296}};

// SageMaker's first list has 1.4 times EC2's price for each type. Public programs still have these
// prices: ml.p3.2xlarge $4.284, p3.8xlarge $17.136, p2.xlarge $1.26, m5.xlarge $0.269, c5.xlarge
// $0.238, g4dn.2xlarge $1.053. Prices of p2 and p3 fell on 2020-10-01. The others fell in April
// 2021, when SageMaker's savings plans came; the day is assumed. Families that came later (p4d, g5
// and newer) have had one price.
constexpr MlPrice kBeforeReductions{.factor = 1.4, .source = "SageMaker's first list"};
constexpr Time kReducedIn2020{
    std::chrono::sys_days{std::chrono::October / 1 / 2020}.time_since_epoch()};
constexpr Time kReducedIn2021{
    std::chrono::sys_days{std::chrono::April / 20 / 2021}.time_since_epoch()};

struct Reduction {
  std::string_view family;
  Time at;
};

constexpr Reduction kReduced[] = {
    {"p2", kReducedIn2020}, {"p3", kReducedIn2020},  {"p3dn", kReducedIn2020},
    {"t2", kReducedIn2021}, {"t3", kReducedIn2021},  {"m4", kReducedIn2021},
    {"m5", kReducedIn2021}, {"c4", kReducedIn2021},  {"c5", kReducedIn2021},
    {"r5", kReducedIn2021}, {"g4dn", kReducedIn2021}};

// The assumed factor is that of the most similar listed types: 1.2 without accelerators, 1.15 for p
// types with eight or more GPUs, and 1.25 for most others.
double assumed_factor(const InstanceType& type) {
  constexpr double kWithoutAccelerators = 1.2, kLargeP = 1.15, kOthers = 1.25;
  if (type.gpus == 0) return kWithoutAccelerators;
  return type.name.starts_with("p") && type.gpus >= 8 ? kLargeP : kOthers;
}

}  // namespace

MlPrice ml_price(const InstanceType& type, std::optional<Time> at) {
  const auto reduced = std::ranges::find(kReduced, family_of(type), &Reduction::family);
  if (at && reduced != std::end(kReduced) && *at < reduced->at) return kBeforeReductions;
  const auto listed = std::ranges::find(kListed, type.name, &ListedPrice::instance_type);
  if (listed == std::end(kListed)) return {.factor = assumed_factor(type)};
  // EC2's price in the built-in table, also if the user has an own file.
  const auto ec2 = on_demand_price(instance_types()->at(type.name), "us-east-1").per_hour;
  return {.factor = listed->usd_per_hour / ec2.dollars(), .source = "SageMaker's list of 2026"};
}

}  // namespace sim::market
