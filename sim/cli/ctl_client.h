// One request to a `spotsim serve`.
#pragma once

#include <stdexcept>
#include <string>

namespace sim::cli {

struct CtlAnswer {
  long status = 0;  // of HTTP
  std::string body;
};

// Nobody answers there; says whom it asked, and why there was no answer.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// GET for an empty body, else POST of JSON. Throws NoAnswer.
CtlAnswer ask(const std::string& url, const std::string& path, const std::string& body = "");

}  // namespace sim::cli
