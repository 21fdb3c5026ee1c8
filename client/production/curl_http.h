// HTTP by libcurl, which keeps connections alive from one request to the next.
#pragma once

#include <memory>
#include <string>

#include "client/environment.h"
#include "client/http.h"

namespace client {

// AWS_CA_BUNDLE, as AWS's SDKs have it, else OpenSSL's SSL_CERT_FILE; empty: neither is set.
std::string ca_file_of(const Environment& environment);

class CurlHttp : public Http {
 public:
  // A file of CAs' certificates as PEM; empty: those that libcurl finds.
  explicit CurlHttp(std::string ca_file = "");
  ~CurlHttp() override;
  HttpResponse send(const HttpRequest& request) override;

 private:
  struct Handle;
  const std::string ca_file_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace client
