#include "fakes/http_messages.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace fakes {
namespace {

std::string_view text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

api::HttpRequest read_http(const RequestHead& request, const std::string& body) {
  const std::string_view target = text_of(request.target());
  const auto mark = std::min(target.find('?'), target.size());
  api::HttpRequest http{.method = std::string(text_of(request.method_string())),
                        .path = std::string(target.substr(0, mark)),
                        .query = std::string(target.substr(std::min(mark + 1, target.size()))),
                        .headers = {},
                        .body = body};
  for (const auto& field : request)
    http.headers.add(text_of(field.name_string()), std::string(text_of(field.value())));
  return http;
}

Response as_response(api::HttpResponse http) {
  Response response;
  response.result(static_cast<unsigned>(http.status));
  for (const auto& [name, value] : http.headers) response.set(name, value);
  if (http.status != 304) response.body() = std::move(http.body);
  return response;
}

}  // namespace fakes
