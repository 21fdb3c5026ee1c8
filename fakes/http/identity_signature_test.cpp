// Signatures of identity documents, verified as AWS's User Guide does it with openssl(1).
#include "fakes/http/identity_signature.h"

#include <gtest/gtest.h>
#include <openssl/pkcs7.h>

#include "base/text/base64.h"
#include "fakes/http/openssl_objects.h"

namespace fakes {
namespace {

using Message = std::unique_ptr<PKCS7, openssl::Freed<PKCS7_free>>;

const std::string kDocument = R"({"instanceId": "i-1"})";

Message message_of(const std::string& pkcs7) {
  const std::string der = base::base64_decode(pkcs7).value();
  const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
  return Message(d2i_PKCS7(nullptr, &bytes, static_cast<long>(der.size())));
}

TEST(IdentitySignature, ThePkcs7MessageHoldsTheDocumentAndItsCertificate) {
  const Message message = message_of(identity_pkcs7(kDocument));
  const openssl::Memory content(BIO_new(BIO_s_mem()));
  ASSERT_EQ(PKCS7_verify(message.get(), nullptr, nullptr, nullptr, content.get(), PKCS7_NOVERIFY),
            1);
  char* text = nullptr;
  const long size = BIO_get_mem_data(content.get(), &text);
  EXPECT_EQ(std::string(text, static_cast<std::size_t>(size)), kDocument);
}

TEST(IdentitySignature, TheCertificatesKeyVerifiesTheSignature) {
  const Message message = message_of(identity_pkcs7("any"));
  STACK_OF(X509)* const signers = PKCS7_get0_signers(message.get(), nullptr, 0);
  EVP_PKEY* const key = X509_get0_pubkey(sk_X509_value(signers, 0));
  const std::string signature = base::base64_decode(identity_signature(kDocument)).value();
  const auto verifies = [&](const std::string& document) {
    const std::unique_ptr<EVP_MD_CTX, openssl::Freed<EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
    EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key);
    return EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                            signature.size(),
                            reinterpret_cast<const unsigned char*>(document.data()),
                            document.size()) == 1;
  };
  EXPECT_TRUE(verifies(kDocument));
  EXPECT_FALSE(verifies(kDocument + " "));
  sk_X509_free(signers);
}

TEST(IdentitySignature, DependsOnTheDocumentAlone) {
  EXPECT_EQ(identity_pkcs7(kDocument), identity_pkcs7(kDocument));
  EXPECT_EQ(identity_signature(kDocument), identity_signature(kDocument));
  for (const std::string& text : {identity_pkcs7(kDocument), identity_signature(kDocument)})
    EXPECT_EQ(text.find('\n'), 64u);
}

}  // namespace
}  // namespace fakes
