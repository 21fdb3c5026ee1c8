#include "sim/serve/local_ca.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <stdexcept>

#include "base/whole_file.h"
#include "fakes/http/certificate_authority.h"

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

CertificateAuthority authority_in(const fs::path& folder) {
  const fs::path certificate = folder / "ca.pem", key = folder / "ca-key.pem";
  if (fs::exists(certificate) || fs::exists(key)) {
    try {
      return {base::read_file(certificate).value_or(""), base::read_file(key).value_or("")};
    } catch (const fakes::NoCertificate& error) {
      throw std::runtime_error(fmt::format(
          "{}: {}, expected what `spotsim serve --tls-folder` made; without both of ca.pem and "
          "ca-key.pem it makes new ones",
          (error.in_key ? key : certificate).string(), error.what()));
    }
  }
  fs::create_directories(folder);
  CertificateAuthority made(fakes::Validity::kYearsFromNow);
  write_new(folder, "ca-key.pem", made.key(), 0600);
  write_new(folder, "ca.pem", made.certificate(), 0644);
  return made;
}

}  // namespace

fakes::TlsIdentity signed_by_local_ca(const fs::path& folder, const std::string& address,
                                      const std::string& region) {
  std::string names = "DNS:localhost,DNS:*.localhost,DNS:*.amazonaws.com";
  // A star stands for one label: buckets, api.sagemaker and api.ecr need one of their own.
  for (const char* below : {"", "s3.", "sagemaker.", "ecr.", "dkr.ecr."})
    names += fmt::format(",DNS:*.{}{}.amazonaws.com", below, region);
  return authority_in(folder).certify("spotsim serve",
                                      names + ",IP:127.0.0.1,IP:::1,IP:" + address);
}

}  // namespace sim::serve
