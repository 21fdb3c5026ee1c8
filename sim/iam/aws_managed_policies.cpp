#include "sim/iam/aws_managed_policies.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

namespace sim::iam {
namespace {

// AWS does not publish its own IDs. These IDs follow from the name, so they are the same in every
// run.
std::string id_of(const std::string& name) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  std::string id = "ANPA";
  while (id.size() < 21) {
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    id += kAlphabet[hash >> 59];
  }
  return id;
}

Policy read_policy(const std::string& line) {
  const auto row = nlohmann::ordered_json::parse(line);
  const auto text = [&](const char* key) { return row[key].get<std::string>(); };
  const auto time = [&](const char* key) { return parse_time(text(key)).value(); };
  Policy policy;
  policy.name = text("Name");
  policy.path = text("Path");
  policy.id = id_of(policy.name);
  policy.arn = "arn:aws:iam::aws:policy" + policy.path + policy.name;
  policy.created = time("Created");
  policy.updated = time("Updated");
  policy.default_version = std::atoi(text("Version").c_str() + 1);
  policy.versions[policy.default_version] = {row["Document"].dump(4), policy.updated};
  policy.is_aws_managed = true;
  return policy;
}

}  // namespace

const std::map<std::string, Policy>& aws_managed_policies() {
  static const auto policies = [] {
    std::map<std::string, Policy> all;
    std::istringstream lines{std::string(aws_managed_policies_jsonl())};
    for (std::string line; std::getline(lines, line);) {
      Policy policy = read_policy(line);
      all.emplace(policy.arn, std::move(policy));
    }
    return all;
  }();
  return policies;
}

}  // namespace sim::iam
