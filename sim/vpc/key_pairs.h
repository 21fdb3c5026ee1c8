// Key pairs. EC2 keeps the public key; only the creator gets the private key.
#pragma once

#include <string>

#include "sim/kernel/random.h"
#include "sim/vpc/resources.h"
#include "sim/vpc/table.h"

namespace sim::vpc {

class KeyPairs {
 public:
  KeyPairs(Ids& ids, const Streams& streams) : ids_(ids), streams_(streams) {}

  // Throw InvalidKeyPair.Duplicate.
  struct Created {
    const KeyPair& pair;
    std::string private_key;
  };
  Created create(const std::string& name, const std::string& type, Time now);
  // Throws InvalidKey.Format for a key that is not RSA or Ed25519 in OpenSSH's form.
  const KeyPair& import(const std::string& name, const std::string& public_key, Time now);

  // Null: there is none of this name.
  const KeyPair* named(const std::string& name) const;

  // ---- key pairs without a creation; see SecurityGroups
  void declare(const std::string& name) { require(name); }
  void be_strict() { strict_ = true; }
  // Throws InvalidKeyPair.NotFound.
  void require(const std::string& name);

  Table<KeyPair> table{"InvalidKeyPair.NotFound", "key pair ID"};

 private:
  KeyPair& add(const std::string& name);

  Ids& ids_;
  const Streams streams_;
  bool strict_ = false;
  int created_ = 0;  // number for the random stream of the next key
};

}  // namespace sim::vpc
