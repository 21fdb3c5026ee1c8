#include "sim/serve/local_ca.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <stdexcept>

#include "base/files/whole_file.h"
#include "fakes/http/certificate_authority.h"
#include "fakes/spotinst/spotinst.h"

namespace sim::serve {
namespace {

namespace fs = std::filesystem;
using fakes::CertificateAuthority;

void write_new(const fs::path& folder, const char* name, const std::string& text, mode_t mode) {
  const mode_t before = umask(mode == 0600 ? 0077 : 0022);
  try {
    base::PendingFile file(folder, name);
    file.write(text);
    file.sync();
    file.publish();
  } catch (...) {
    umask(before);
    throw;
  }
  umask(before);
}

CertificateAuthority authority_in(const fs::path& folder, const std::string& constraints) {
  const fs::path certificate = folder / "ca.pem", key = folder / "ca-key.pem";
  if (fs::exists(certificate) || fs::exists(key)) {
    try {
      return {base::read_file(certificate).value_or(""), base::read_file(key).value_or("")};
    } catch (const fakes::NoCertificate& error) {
      throw std::runtime_error(
          fmt::format("{}: {}, expected the files that `spotsim serve --tls-folder` made; remove "
                      "ca.pem and ca-key.pem, and it makes new ones",
                      (error.in_key ? key : certificate).string(), error.what()));
    }
  }
  fs::create_directories(folder);
  CertificateAuthority made(fakes::Validity::kFromNow, constraints);
  write_new(folder, "ca-key.pem", made.key(), 0600);
  write_new(folder, "ca.pem", made.certificate(), 0644);
  return made;
}

bool is_any_address(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

// The names for which the authority may sign: all names of the port, in any region.
std::string constraints_of(const ServedNames& names) {
  std::string text =
      "critical,permitted;DNS:localhost,permitted;DNS:amazonaws.com,permitted;DNS:api.spotinst.io,"
      "permitted;IP:127.0.0.0/255.0.0.0,"
      "permitted;IP:::1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF";
  const bool v6 = names.address.find(':') != names.address.npos;
  if (!is_any_address(names.address))
    text += fmt::format(",permitted;IP:{}/{}", names.address,
                        v6 ? "FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF" : "255.255.255.255");
  for (const std::string& host : names.hosts)
    text += ",permitted;DNS:" + host.substr(host.starts_with('.') ? 1 : 0);
  return text;
}

std::string certified_names(const ServedNames& served) {
  std::string names = "DNS:localhost,DNS:*.localhost,DNS:*.amazonaws.com,IP:127.0.0.1,IP:::1";
  // A star matches one label. Buckets, api.sagemaker and api.ecr have two, so they need wildcards
  // of their own.
  for (const char* below : {"", "s3.", "sagemaker.", "ecr.", "dkr.ecr."})
    names += fmt::format(",DNS:*.{}{}.amazonaws.com", below, served.region);
  for (const std::string& host : served.hosts)
    names += host.starts_with('.') ? fmt::format(",DNS:{},DNS:*{}", host.substr(1), host)
                                   : ",DNS:" + host;
  return is_any_address(served.address) ? names : names + ",IP:" + served.address;
}

}  // namespace

fakes::TlsIdentity signed_by_local_ca(const fs::path& folder, const ServedNames& names,
                                      const std::function<void(const std::string&)>& warn) {
  const CertificateAuthority authority = authority_in(folder, constraints_of(names));
  const std::string file = (folder / "ca.pem").string();
  if (!authority.has_name_constraints() && warn)
    warn(
        fmt::format("{}: this authority can sign for any name on the Internet, and anyone with its "
                    "key can deceive programs that trust it. Remove ca.pem and ca-key.pem, and "
                    "spotsim makes an authority for the served names only",
                    file));
  const std::string of_aws = certified_names(names);
  fakes::TlsIdentity identity =
      authority.certify("spotsim serve", of_aws + ",DNS:" + std::string(fakes::spotinst::kHost));
  // An authority of an earlier version may sign for AWS's names only.
  if (!authority.refuses(identity).empty()) identity = authority.certify("spotsim serve", of_aws);
  if (const std::string why = authority.refuses(identity); !why.empty())
    throw std::runtime_error(
        fmt::format("{}: found an authority that cannot sign for this service ({}), expected one "
                    "for --bind {} and --allow-host. Remove ca.pem and ca-key.pem, and new ones "
                    "are made; or choose another --tls-folder",
                    file, why, names.address));
  return identity;
}

}  // namespace sim::serve
