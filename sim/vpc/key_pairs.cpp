#include "sim/vpc/key_pairs.h"

#include "sim/vpc/key_material.h"

namespace sim::vpc {

const KeyPair* KeyPairs::named(const std::string& name) const {
  return table.first([&](const KeyPair& pair) { return pair.name == name; });
}

KeyPair& KeyPairs::add(const std::string& name) {
  if (named(name))
    throw ApiError("InvalidKeyPair.Duplicate",
                   fmt::format("The keypair '{}' already exists.", name));
  return table.add({.id = ids_.next("key"), .name = name});
}

KeyPairs::Created KeyPairs::create(const std::string& name, const std::string& type, Time now) {
  be_strict();
  KeyPair& pair = add(name);
  const Stream numbers = streams_.stream("key-material", fmt::format("{}/{}", name, created_++));
  KeyMaterial made = type == "ed25519" ? make_ed25519_key(numbers) : make_rsa_key(numbers);
  pair.type = type;
  pair.fingerprint = std::move(made.fingerprint);
  pair.public_key = std::move(made.public_key);
  pair.created = now;
  return {pair, std::move(made.private_key)};
}

const KeyPair& KeyPairs::import(const std::string& name, const std::string& public_key, Time now) {
  const auto read = read_public_key(public_key);
  if (!read) throw ApiError("InvalidKey.Format", "Key is not in valid OpenSSH public key format");
  be_strict();
  KeyPair& pair = add(name);
  pair.type = read->type;
  pair.fingerprint = read->fingerprint;
  pair.public_key = read->public_key;
  pair.created = now;
  return pair;
}

void KeyPairs::require(const std::string& name) {
  if (named(name)) return;
  if (strict_)
    throw ApiError("InvalidKeyPair.NotFound",
                   fmt::format("The key pair '{}' does not exist", name));
  const KeyMaterial made = make_ed25519_key(streams_.stream("key-material", name));
  KeyPair& pair = add(name);
  pair.type = "ed25519";
  pair.fingerprint = made.fingerprint;
  pair.public_key = made.public_key;
}

}  // namespace sim::vpc
