// SSH keys: made of random numbers, read and fingerprinted as EC2 does (EC2 user guide, "Verify the
// fingerprint of your key pair").
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/kernel/random.h"

namespace sim::vpc {

struct KeyMaterial {
  std::string private_key;  // PEM
  std::string public_key;   // OpenSSH's form, without a comment
  std::string fingerprint;
};

// The same numbers give the same key. RSA keys have 2048 bits and take some 50 ms.
KeyMaterial make_rsa_key(Stream numbers);
KeyMaterial make_ed25519_key(Stream numbers);

// A public key that a client imports.
struct ImportedKey {
  std::string type;        // "rsa" or "ed25519"
  std::string public_key;  // without its comment
  std::string fingerprint;
};
// Empty for an invalid text. Valid: "ssh-rsa AAAA… comment" or "ssh-ed25519 AAAA…".
std::optional<ImportedKey> read_public_key(std::string_view text);

}  // namespace sim::vpc
