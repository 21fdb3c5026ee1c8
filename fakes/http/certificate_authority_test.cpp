#include "fakes/http/certificate_authority.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>

#include "fakes/http/openssl_objects.h"

namespace fakes {
namespace {

using namespace openssl;

template <class Write>
std::string pem_of(Write write) {
  const Memory memory(BIO_new(BIO_s_mem()));
  write(memory.get());
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

// As other programs make them.
struct RsaAuthority {
  Key key{EVP_RSA_gen(2048)};
  Certificate certificate{X509_new()};

  RsaAuthority() {
    X509* const own = certificate.get();
    X509_set_version(own, X509_VERSION_3);
    X509_gmtime_adj(X509_getm_notBefore(own), 0);
    X509_gmtime_adj(X509_getm_notAfter(own), 86'400);
    X509_set_pubkey(own, key.get());
    X509_sign(own, key.get(), EVP_sha256());
  }
  std::string key_text() const {
    return pem_of([&](BIO* out) {
      PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }
  std::string certificate_text() const {
    return pem_of([&](BIO* out) { PEM_write_bio_X509(out, certificate.get()); });
  }
};

TEST(CertificateAuthority, OneWithAnRsaKeyCertifiesToo) {
  const RsaAuthority made;
  const CertificateAuthority authority(made.certificate_text(), made.key_text());
  const TlsIdentity identity = authority.certify("a test", "DNS:localhost");
  const Memory reader = reader_of(identity.certificates);
  const Certificate own(PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr));
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(X509_verify(own.get(), made.key.get()), 1);
}

TEST(CertificateAuthority, AnotherKeyThanTheCertificatesIsRefused) {
  EXPECT_THROW(CertificateAuthority(RsaAuthority().certificate_text(), RsaAuthority().key_text()),
               NoCertificate);
}

TEST(CertificateAuthority, CertificatesThatAreGoodAlwaysHaveOneLength) {
  const CertificateAuthority authority(Validity::kAlways);
  const std::size_t length = authority.certify("a", "DNS:a.example").certificates.size();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(authority.certify("a", "DNS:a.example").certificates.size(), length);
}

TEST(CertificateAuthority, OneWithConstraintsSignsForItsNamesAlone) {
  const CertificateAuthority authority(
      Validity::kFromNow, "critical,permitted;DNS:localhost,permitted;IP:127.0.0.0/255.0.0.0");
  EXPECT_TRUE(authority.has_name_constraints());
  const auto refusal = [&](const std::string& names) {
    return authority.refuses(authority.certify("a test", names));
  };
  EXPECT_EQ(refusal("DNS:localhost,DNS:*.localhost,IP:127.0.0.1"), "");
  EXPECT_EQ(refusal("DNS:bank.example"), "permitted subtree violation");
  EXPECT_EQ(refusal("DNS:localhost,IP:10.0.0.1"), "permitted subtree violation");
}

TEST(CertificateAuthority, OneByTheRealClockLastsNinetyDays) {
  const CertificateAuthority authority(Validity::kFromNow);
  EXPECT_FALSE(authority.has_name_constraints());
  const std::string text = authority.certificate();
  const Memory reader = reader_of(text);
  const Certificate own(PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr));
  int days = 0, seconds = 0;
  ASSERT_EQ(ASN1_TIME_diff(&days, &seconds, X509_get0_notBefore(own.get()),
                           X509_get0_notAfter(own.get())),
            1);
  EXPECT_EQ(days, 91) << "yesterday is the first";
}

}  // namespace
}  // namespace fakes
