#include "sim/iam/policy_resource.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "sim/kernel/time.h"

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

// "arn:partition:service:region:account:resource" → its parts, the last with all further colons.
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

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 18 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::string resource_fault(const std::string& resource) {
  if (resource == "*" || resource.empty()) return "";
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

bool is_policy_date(const std::string& text) {
  return is_number(text) || parse_time(text) || parse_time(text + "-01");
}

}  // namespace sim::iam
