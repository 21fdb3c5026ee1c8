#include "fakes/region_names.h"

#include <algorithm>
#include <iterator>

namespace fakes {
namespace {

struct RegionName {
  std::string_view region, name, usage;
};

// The attribute `location` of the public price list, and the beginning of `usagetype`.
constexpr RegionName kNames[] = {{"af-south-1", "Africa (Cape Town)", "AFS1-"},
                                 {"ap-east-1", "Asia Pacific (Hong Kong)", "APE1-"},
                                 {"ap-northeast-1", "Asia Pacific (Tokyo)", "APN1-"},
                                 {"ap-northeast-2", "Asia Pacific (Seoul)", "APN2-"},
                                 {"ap-northeast-3", "Asia Pacific (Osaka)", "APN3-"},
                                 {"ap-south-1", "Asia Pacific (Mumbai)", "APS3-"},
                                 {"ap-south-2", "Asia Pacific (Hyderabad)", "APS5-"},
                                 {"ap-southeast-1", "Asia Pacific (Singapore)", "APS1-"},
                                 {"ap-southeast-2", "Asia Pacific (Sydney)", "APS2-"},
                                 {"ap-southeast-3", "Asia Pacific (Jakarta)", "APS4-"},
                                 {"ap-southeast-4", "Asia Pacific (Melbourne)", "APS6-"},
                                 {"ca-central-1", "Canada (Central)", "CAN1-"},
                                 {"ca-west-1", "Canada West (Calgary)", "CAN2-"},
                                 {"eu-central-1", "EU (Frankfurt)", "EUC1-"},
                                 {"eu-central-2", "Europe (Zurich)", "EUC2-"},
                                 {"eu-north-1", "EU (Stockholm)", "EUN1-"},
                                 {"eu-south-1", "EU (Milan)", "EUS1-"},
                                 {"eu-south-2", "Europe (Spain)", "EUS2-"},
                                 {"eu-west-1", "EU (Ireland)", "EU-"},
                                 {"eu-west-2", "EU (London)", "EUW2-"},
                                 {"eu-west-3", "EU (Paris)", "EUW3-"},
                                 {"il-central-1", "Israel (Tel Aviv)", "ILC1-"},
                                 {"me-central-1", "Middle East (UAE)", "MEC1-"},
                                 {"me-south-1", "Middle East (Bahrain)", "MES1-"},
                                 {"sa-east-1", "South America (Sao Paulo)", "SAE1-"},
                                 {"us-east-1", "US East (N. Virginia)", ""},
                                 {"us-east-2", "US East (Ohio)", "USE2-"},
                                 {"us-west-1", "US West (N. California)", "USW1-"},
                                 {"us-west-2", "US West (Oregon)", "USW2-"}};

const RegionName* find_region(std::string_view region) {
  const auto* const found = std::ranges::find(kNames, region, &RegionName::region);
  return found == std::end(kNames) ? nullptr : found;
}

}  // namespace

std::string region_name(std::string_view region) {
  const RegionName* const found = find_region(region);
  return std::string(found == nullptr ? region : found->name);
}

std::string_view usage_prefix(std::string_view region) {
  const RegionName* const found = find_region(region);
  return found == nullptr ? std::string_view() : found->usage;
}

std::vector<std::string> all_region_codes() {
  std::vector<std::string> codes;
  for (const RegionName& name : kNames) codes.emplace_back(name.region);
  return codes;
}

bool needs_opt_in(std::string_view region) {
  constexpr std::string_view kOptIn[] = {
      "af-south-1",   "ap-east-1",  "ap-south-2", "ap-southeast-3", "ap-southeast-4", "ca-west-1",
      "eu-central-2", "eu-south-1", "eu-south-2", "il-central-1",   "me-central-1",   "me-south-1"};
  return std::ranges::find(kOptIn, region) != std::end(kOptIn);
}

}  // namespace fakes
