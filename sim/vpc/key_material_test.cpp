// The keys that are made, as OpenSSH and OpenSSL read them.
#include "sim/vpc/key_material.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <fstream>

#include "base/files/folder_for_test.h"
#include "sim/vpc/key_pairs.h"

namespace sim::vpc {
namespace {

std::string output(const std::string& command) {
  std::string out;
  FILE* const pipe = popen(command.c_str(), "r");
  std::array<char, 4096> part{};
  while (const std::size_t n = fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), n);
  return pclose(pipe) == 0 ? out : "failed: " + out;
}

class Keys : public testing::TestWithParam<KeyMaterial (*)(Stream)> {};

TEST_P(Keys, AreAFunctionOfTheirNumbers) {
  const KeyMaterial one = GetParam()(Stream(1)), again = GetParam()(Stream(1));
  EXPECT_EQ(one.private_key, again.private_key);
  EXPECT_EQ(one.fingerprint, again.fingerprint);
  EXPECT_NE(one.public_key, GetParam()(Stream(2)).public_key);
}

TEST_P(Keys, AreReadByOpenSsh) {
  if (std::system("command -v ssh-keygen >/dev/null") != 0) GTEST_SKIP() << "no ssh-keygen here";
  const KeyMaterial key = GetParam()(Stream(3));
  const base::FolderForTest folder;
  const std::string file = folder.path() / "key";
  std::ofstream(file) << key.private_key;
  chmod(file.c_str(), 0600);
  EXPECT_EQ(output("ssh-keygen -y -f " + file + " | cut -d' ' -f1,2"), key.public_key + "\n");
  const auto read = read_public_key(key.public_key + " me@home");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->public_key, key.public_key);
}

INSTANTIATE_TEST_SUITE_P(All, Keys, testing::Values(make_rsa_key, make_ed25519_key));

// The EC2 user guide computes these fingerprints with these commands.
TEST(Fingerprints, AreThoseOfOpenSsl) {
  if (std::system("command -v ssh-keygen >/dev/null && command -v openssl >/dev/null") != 0)
    GTEST_SKIP() << "no ssh-keygen or no openssl here";
  const KeyMaterial key = make_rsa_key(Stream(4));
  const base::FolderForTest folder;
  const std::string file = folder.path() / "key";
  std::ofstream(file) << key.private_key;
  chmod(file.c_str(), 0600);
  EXPECT_EQ(output("openssl pkcs8 -in " + file +
                   " -inform PEM -outform DER -topk8 -nocrypt | openssl sha1 -c | sed 's/.*= //'"),
            key.fingerprint + "\n");
  EXPECT_EQ(output("openssl rsa -in " + file +
                   " -pubout -outform DER 2>/dev/null | openssl md5 -c | sed 's/.*= //'"),
            read_public_key(key.public_key)->fingerprint + "\n");
}

TEST(PublicKeys, ThatAreNoneAreRefused) {
  const std::string good = make_ed25519_key(Stream(1)).public_key;
  EXPECT_TRUE(read_public_key(good));
  for (const std::string& bad :
       {std::string(), std::string("ssh-rsa"), std::string("ssh-rsa !"), good.substr(0, 40),
        "ssh-rsa" + good.substr(11), std::string("ssh-rsa AAAAB3NzaC1yc2E="),
        std::string("ssh-dss AAAAB3NzaC1kc3M=")})
    EXPECT_FALSE(read_public_key(bad)) << bad;
}

TEST(KeyPairs, AreStrictOnceOneIsCreated) {
  Ids ids{Streams(7)};
  KeyPairs pairs(ids, Streams(7));
  pairs.require("me");
  EXPECT_TRUE(pairs.named("me")->public_key.starts_with("ssh-ed25519 "));
  pairs.create("mine", "ed25519", {});
  EXPECT_THROW(pairs.require("yours"), ApiError);
  EXPECT_THROW(pairs.create("mine", "rsa", {}), ApiError);
  EXPECT_THROW(pairs.import("theirs", "ssh-rsa x", {}), ApiError);
}

}  // namespace
}  // namespace sim::vpc
