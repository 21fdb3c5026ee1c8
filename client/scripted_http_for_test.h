// For tests: an Http that answers with a function and records the requests.
#pragma once

#include <functional>
#include <vector>

#include "client/http.h"

namespace client::testing {

struct ScriptedHttp : Http {
  std::function<HttpResponse(const HttpRequest&)> answer;
  std::vector<HttpRequest> requests;
  HttpResponse send(const HttpRequest& request) override {
    requests.push_back(request);
    return answer(request);
  }
};

}  // namespace client::testing
