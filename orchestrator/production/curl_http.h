// HTTP by libcurl, which keeps connections alive from one request to the next.
#pragma once

#include <memory>

#include "orchestrator/seams/http.h"

namespace spotrun {

class CurlHttp : public Http {
 public:
  CurlHttp();
  ~CurlHttp() override;
  HttpResponse send(const HttpRequest& request) override;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace spotrun
