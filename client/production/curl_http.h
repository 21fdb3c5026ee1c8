// HTTP through libcurl, which reuses connections.
#pragma once

#include <memory>
#include <string>

#include "client/environment.h"
#include "client/http.h"

namespace client {

// AWS_CA_BUNDLE, as in AWS's SDKs, else OpenSSL's SSL_CERT_FILE; empty if neither is set.
std::string ca_file_of(const Environment& environment);

class CurlHttp : public Http {
 public:
  // `ca_file`: certificates of CAs in PEM. Empty: libcurl's default.
  explicit CurlHttp(std::string ca_file = "");
  ~CurlHttp() override;
  HttpResponse send(const HttpRequest& request) override;

 private:
  struct Handle;
  const std::string ca_file_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace client
