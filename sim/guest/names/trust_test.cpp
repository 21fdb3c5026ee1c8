// What makes programs trust an authority of the simulator's.
#include "sim/guest/names/trust.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files/folder_for_test.h"
#include "base/files/whole_file.h"
#include "base/process/process.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

std::size_t certificates_in(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("BEGIN CERTIFICATE", at)) != text.npos; ++at) ++count;
  return count;
}

const FilePlace kHostsFile = [](const std::string& path) -> fs::path {
  return fs::exists(path) ? path : "";
};

TEST(Trust, AddsTheAuthorityToTheHostsList) {
  const fakes::CertificateAuthority authority(fakes::Validity::kAlways);
  const auto files = trusting_files(authority, kHostsFile);
  const std::string path = "/etc/ssl/certs/ca-certificates.crt";
  const std::string list = files.at(path);
  EXPECT_EQ(certificates_in(list), certificates_in(base::read_file(path).value_or("")) + 1);
  EXPECT_TRUE(list.ends_with(authority.certificate()));
  for (const auto& [name, text] : files) EXPECT_EQ(text.find("PRIVATE KEY"), text.npos) << name;
}

TEST(Trust, AnImagesOwnListAndEnvironmentTakeThePlaceOfTheHosts) {
  const fakes::CertificateAuthority authority(fakes::Validity::kAlways),
      another(fakes::Validity::kAlways);
  const base::FolderForTest folder;
  base::write_content(folder / "list", another.certificate());
  base::write_content(folder / "environment", "STAGE=test");
  const auto files = trusting_files(authority, [&](const std::string& path) -> fs::path {
    if (path == "/etc/ssl/certs/ca-certificates.crt") return folder / "list";
    return path == "/etc/environment" ? folder / "environment" : "";
  });
  EXPECT_EQ(files.at("/etc/ssl/certs/ca-certificates.crt"),
            another.certificate() + authority.certificate());
  EXPECT_TRUE(files.at("/etc/environment").starts_with("STAGE=test\nAWS_CA_BUNDLE="));
}

// Each run has other certificates, but the sizes that a guest can see are the same.
TEST(Trust, HasFilesOfOneSize) {
  const auto sizes = [] {
    const fakes::CertificateAuthority authority(fakes::Validity::kAlways);
    std::string out = std::to_string(authority.certify("a", "DNS:a.org").certificates.size());
    for (const auto& [name, text] : trusting_files(authority, kHostsFile))
      out += " " + name + ":" + std::to_string(text.size());
    return out;
  };
  const std::string first = sizes();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(sizes(), first);
}

TEST(Trust, WritesAStoreThatJavaReads) {
  if (!fs::exists("/usr/bin/keytool")) GTEST_SKIP() << "Java is not installed";
  const fakes::CertificateAuthority authority(fakes::Validity::kAlways);
  const std::string pem = authority.certificate();
  const base::FolderForTest folder;
  const fs::path file = folder / "cacerts";
  {
    base::PendingFile out(file.parent_path(), file.filename().string());
    out.write(java_key_store(pem + pem));
    out.publish();
  }
  const base::ProcessEnd end = base::run_process(
      {.argv = {"/usr/bin/keytool", "-list", "-keystore", file, "-storepass", "changeit"}});
  EXPECT_EQ(end.status, 0) << end.output << end.errors;
  EXPECT_NE(end.output.find("contains 2 entries"), end.output.npos) << end.output;
}

}  // namespace
}  // namespace sim::guest
