#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::vpc::KeyPair;
using Values = std::vector<std::string>;

constexpr FilterRow<KeyPair> kKeyPairFilters[] = {
    {"fingerprint", [](const KeyPair& k, Backend&) { return Values{k.fingerprint}; }},
    {"key-name", [](const KeyPair& k, Backend&) { return Values{k.name}; }},
    {"key-pair-id", [](const KeyPair& k, Backend&) { return Values{k.id}; }},
};

const std::string& checked_name(const api::Opt<std::string>& name) {
  const std::string& given = required(name, "KeyName");
  if (given.size() > 255) throw invalid("KeyName", given, "Expected at most 255 characters.");
  return given;
}

ApiError no_key_pair(const std::string& name) {
  return {"InvalidKeyPair.NotFound", fmt::format("The key pair '{}' does not exist", name)};
}

aws::KeyPairInfo shown(const KeyPair& pair, bool with_public_key) {
  aws::KeyPairInfo out{.create_time = timestamp(pair.created),
                       .key_fingerprint = pair.fingerprint,
                       .key_name = pair.name,
                       .key_pair_id = pair.id,
                       .key_type = pair.type,
                       .tags = shown_tags(pair.tags)};
  if (with_public_key) out.public_key = pair.public_key + " " + pair.name + "\n";
  return out;
}

}  // namespace

op::CreateKeyPair::Response create_key_pair(Call& call, const aws::CreateKeyPairRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "key-pair");
  const std::string& name = checked_name(request.key_name);
  const std::string type = choice(request.key_type, "KeyType", {"rsa", "ed25519"});
  choice(request.key_format, "KeyFormat", {"pem"});
  const auto [pair, private_key] = call.cloud.network().key_pairs.create(name, type, call.now);
  tag_new(call, pair.id, tags);
  return {.key_fingerprint = pair.fingerprint,
          .key_material = private_key,
          .key_name = pair.name,
          .key_pair_id = pair.id,
          .tags = shown_tags(pair.tags)};
}

aws::ImportKeyPairResult import_key_pair(Call& call, const aws::ImportKeyPairRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "key-pair");
  const std::string& name = checked_name(request.key_name);
  if (!request.public_key_material) throw missing("PublicKeyMaterial");
  const KeyPair& pair =
      call.cloud.network().key_pairs.import(name, *request.public_key_material, call.now);
  tag_new(call, pair.id, tags);
  return {.key_fingerprint = pair.fingerprint,
          .key_name = pair.name,
          .key_pair_id = pair.id,
          .tags = shown_tags(pair.tags)};
}

// Deleting a pair that does not exist is no error.
op::DeleteKeyPair::Response delete_key_pair(Call& call, const aws::DeleteKeyPairRequest& request) {
  auto& pairs = call.cloud.network().key_pairs;
  if (request.key_pair_id) {
    pairs.table.erase(*request.key_pair_id);
  } else if (const auto* const found = pairs.named(required(request.key_name, "KeyName"))) {
    pairs.table.erase(found->id);
  }
  return {};
}

aws::DescribeKeyPairsResult describe_key_pairs(Call& call,
                                               const aws::DescribeKeyPairsRequest& request) {
  const Filters<KeyPair> filters(request.filters, kKeyPairFilters, resource_tags<KeyPair>);
  const auto& pairs = call.cloud.network().key_pairs;
  api::List<std::string> ids = request.key_pair_ids;
  for (const auto& name : request.key_names) {
    const KeyPair* const found = pairs.named(name);
    if (!found) throw no_key_pair(name);
    ids.push_back(found->id);
  }
  const auto found = filters.of(pairs.table.all(), "key-pair-id", call.backend, ids,
                                [&](const auto& id) -> const KeyPair& {
                                  if (!pairs.table.has(id)) throw no_key_pair(id);
                                  return pairs.table.find(id);
                                });
  aws::DescribeKeyPairsResult response;
  response.key_pairs.give();
  for (const KeyPair* pair : found)
    response.key_pairs.push_back(shown(*pair, request.include_public_key.value_or(false)));
  return response;
}

}  // namespace fakes::ec2
