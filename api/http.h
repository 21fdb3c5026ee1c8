// HTTP messages as the codecs see them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace api {

struct Headers : std::vector<std::pair<std::string, std::string>> {
  // The value of the first header of that name, in any case; null when there is none.
  const std::string* find(std::string_view name) const;
  void add(std::string_view name, std::string value) { emplace_back(name, std::move(value)); }
};

struct HttpRequest {
  std::string method = "POST";
  std::string path = "/", query;  // as sent: percent encoded
  Headers headers;
  std::string body;
};

struct HttpResponse {
  int status = 200;
  Headers headers;
  std::string body;
};

}  // namespace api
