// For tests: an Http that answers from a function and keeps what it was asked.
#pragma once

#include <functional>
#include <vector>

#include "orchestrator/seams/http.h"

namespace spotrun::testing {

struct ScriptedHttp : Http {
  std::function<HttpResponse(const HttpRequest&)> answer;
  std::vector<HttpRequest> requests;
  HttpResponse send(const HttpRequest& request) override {
    requests.push_back(request);
    return answer(request);
  }
};

struct SteppedClock : Clock {
  Time time{std::chrono::sys_days{std::chrono::year{2019} / 11 / 5}};
  std::vector<Duration> sleeps;
  Time now() override { return time; }
  void sleep(Duration duration) override {
    sleeps.push_back(duration);
    time += duration;
  }
};

}  // namespace spotrun::testing
