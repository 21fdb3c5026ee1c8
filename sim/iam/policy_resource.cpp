#include "sim/iam/policy_resource.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <regex>
#include <utility>
#include <vector>

namespace sim::iam {
namespace {

constexpr std::string_view kPartitions[] = {"aws",       "aws-cn",    "aws-us-gov", "aws-iso",
                                            "aws-iso-b", "aws-iso-e", "aws-iso-f",  "*"};
constexpr std::string_view kIamPaths[] = {"user/",
                                          "federated-user/",
                                          "role/",
                                          "group/",
                                          "instance-profile/",
                                          "mfa/",
                                          "server-certificate/",
                                          "policy/",
                                          "sms-mfa/",
                                          "saml-provider/",
                                          "oidc-provider/",
                                          "report/",
                                          "access-report/"};

// Splits "arn:partition:service:region:account:resource" at its colons. The last part has all
// further colons.
std::vector<std::string> parts_of(const std::string& arn) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (parts.size() < 5) {
    const auto colon = arn.find(':', begin);
    if (colon == arn.npos) break;
    parts.push_back(arn.substr(begin, colon - begin));
    begin = colon + 1;
  }
  parts.push_back(arn.substr(begin));
  return parts;
}

std::string partition_fault(const std::vector<std::string>& parts) {
  const auto part = [&](std::size_t at) {
    return at < parts.size() && !(at == 2 && parts.size() == 3 && parts[at].empty())
               ? parts[at]
               : std::string("*");
  };
  return fmt::format("Partition \"{0}\" is not valid for resource \"arn:{0}:{1}:{2}:{3}:{4}\".",
                     parts[1], part(2), part(3), part(4), part(5));
}

// Resources of global services have no region in their ARN.
std::string region_fault(const std::string& resource, const std::vector<std::string>& parts) {
  if (parts.size() < 4 || parts[3].empty()) return "";
  const std::string id = parts.size() > 5 ? parts[5] : "";
  if (parts[2] == "iam")
    return fmt::format("IAM resource {} cannot contain region information.", resource);
  if (parts[2] == "s3" && !id.starts_with("accesspoint/"))
    return fmt::format("Resource {} can not contain region information.", resource);
  return "";
}

std::string path_fault(const std::vector<std::string>& parts) {
  if (parts[2] != "iam") return "";
  const std::string id = parts.size() > 5 ? parts[5] : "";
  const bool good = id == "*" || std::ranges::any_of(kIamPaths, [&](std::string_view path) {
                      return id.starts_with(path);
                    });
  if (good) return "";
  return fmt::format("IAM resource path must either be \"*\" or start with {}.",
                     fmt::join(kIamPaths, ", "));
}

// Seconds since 1970.
bool is_number(const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end && value >= 0;
}

}  // namespace

std::string resource_fault(const std::string& resource) {
  if (resource == "*") return "";
  const auto parts = parts_of(resource);
  if (parts.size() < 2) return fmt::format("Resource {} must be in ARN format or \"*\".", resource);
  if (std::ranges::find(kPartitions, parts[1]) == std::end(kPartitions))
    return partition_fault(parts);
  if (parts.size() < 3)
    return "Resource vendor must be fully qualified and cannot contain regexes.";
  if (auto fault = region_fault(resource, parts); !fault.empty()) return fault;
  if (auto fault = path_fault(parts); !fault.empty()) return fault;
  const bool is_short = parts.size() < 6 && resource.find("::") != resource.npos;
  return is_short || parts[2].empty() ? std::string(kLegacyFault) : "";
}

namespace {

// AWS accepts more forms than ISO 8601: "01T", "2016-12-13t2:00:00.593194+23".
const std::regex& date_form() {
  static const std::regex form(R"((-?\d{1,9})(?:-(\d{1,2})(?:-(\d{1,2}))?)?)"
                               R"((?:[tT](?:(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.\d{1,9})?)"
                               R"(([zZ]|[+-]\d{2}(?::\d{2})?)?)?)?)?)?)");
  return form;
}

// "+05:30" → 19800.
double offset_of(const std::string& zone) {
  if (zone.size() < 3) return 0;
  const double minutes =
      60 * std::stod(zone.substr(1, 2)) + (zone.size() == 6 ? std::stod(zone.substr(4, 2)) : 0);
  return (zone[0] == '-' ? -60 : 60) * minutes;
}

}  // namespace

bool is_policy_date(const std::string& text) {
  constexpr std::pair<int, int> kBounds[] = {{1, 12}, {1, 31}, {0, 23}, {0, 59}, {0, 59}};
  std::smatch found;
  if (!std::regex_match(text, found, date_form())) return is_number(text);
  for (std::size_t i = 0; i < std::size(kBounds); ++i) {
    if (!found[i + 2].matched) continue;
    const int value = std::stoi(found[i + 2]);
    if (value < kBounds[i].first || value > kBounds[i].second) return false;
  }
  return true;
}

// Reads a date as ISO 8601 or as a number. A number of five digits or more is not a year.
std::optional<double> seconds_of_date(const std::string& text) {
  constexpr std::size_t kLongestYear = 4;
  if (!is_policy_date(text)) return {};
  if (is_number(text) && text.size() > kLongestYear) return std::stod(text);
  std::smatch found;
  std::regex_match(text, found, date_form());
  const auto part = [&](std::size_t at, int otherwise) {
    return found[at].matched ? std::stoi(found[at]) : otherwise;
  };
  const std::chrono::year_month_day day{std::chrono::year(part(1, 1970)),
                                        std::chrono::month(static_cast<unsigned>(part(2, 1))),
                                        std::chrono::day(static_cast<unsigned>(part(3, 1)))};
  const auto days = std::chrono::sys_days(day).time_since_epoch().count();
  const double clock = 3600.0 * part(4, 0) + 60.0 * part(5, 0) + part(6, 0);
  return static_cast<double>(days) * 86'400 + clock -
         offset_of(found[7].matched ? found[7].str() : "");
}

}  // namespace sim::iam
