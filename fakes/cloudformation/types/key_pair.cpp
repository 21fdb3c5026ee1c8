// AWS::EC2::KeyPair. CloudFormation keeps the private key of a pair that it creates in the
// parameter /ec2/keypair/ID of Systems Manager.
#include "api/ec2.h"
#include "api/ssm.h"
#include "base/text/base64.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::key_pair {
namespace {

namespace ec2 = api::ec2::op;
namespace ssm = api::ssm::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"KeyFingerprint", "KeyPairId"};

std::string parameter_of(const std::string& id) { return "/ec2/keypair/" + id; }

std::string import(const ResourceCall& call, Properties& properties) {
  properties.ignore({"KeyFormat", "KeyType"});
  // In EC2's request the text of the key is Base64.
  properties.set("PublicKeyMaterial",
                 base::base64_encode(properties.need_text("PublicKeyMaterial")));
  return call.ask<ec2::ImportKeyPair>(properties.request<ec2::ImportKeyPair>()).key_name.value();
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.tag_as("key-pair");
  if (call.resource.properties.contains("PublicKeyMaterial")) return import(call, properties);
  const auto made = call.ask<ec2::CreateKeyPair>(properties.request<ec2::CreateKeyPair>());
  const std::string id = made.key_pair_id.value();
  undo_on_failure(
      made.key_name.value(),
      [&] {
        call.ask<ssm::PutParameter>(
            {.name = parameter_of(id), .type = "SecureString", .value = made.key_material.value()});
      },
      [&] { call.ask<ec2::DeleteKeyPair>({.key_pair_id = id}); });
  return made.key_name.value();
}

api::ec2::KeyPairInfo described(const ResourceCall& call) {
  return call.ask<ec2::DescribeKeyPairs>({.key_names = {call.id()}}).key_pairs.at(0);
}

void remove(const ResourceCall& call) {
  const std::string id = described(call).key_pair_id.value();
  call.ask<ec2::DeleteKeyPair>({.key_pair_id = id});
  if (!call.resource.properties.contains("PublicKeyMaterial"))
    call.ask<ssm::DeleteParameter>({.name = parameter_of(id)});
}

Json attribute(const ResourceCall& call, const std::string& name) {
  const auto pair = described(call);
  return name == "KeyPairId" ? pair.key_pair_id.value() : pair.key_fingerprint.value();
}

std::string tagged(const ResourceCall& call) { return described(call).key_pair_id.value(); }

}  // namespace

const Type kType{
    .traits = {.type = "AWS::EC2::KeyPair", .attributes = kAttributes, .has_tags = true},
    .create = create,
    .remove = remove,
    .tagged = tagged,
    .attribute = attribute};

}  // namespace fakes::cloudformation::key_pair
