#include "api/fuzz/codecs.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/error.h"
#include "api/json.h"
#include "api/percent.h"
#include "api/protocol.h"
#include "api/refusal.h"
#include "api/rest_route.h"
#include "api/roundtrip/services.h"
#include "api/scalar.h"
#include "api/toy_for_test.h"
#include "api/value.h"

namespace api {
namespace {

// Removes the text before `mark` and returns it; the rest stays in `text`.
std::string_view cut_off(std::string_view& text, std::string_view mark) {
  const std::size_t at = std::min(text.find(mark), text.size());
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(std::min(at + mark.size(), text.size()));
  return before;
}

const Service* service_of(std::string_view name) {
  if (name == "toy-json") return &kToyJson;
  if (name == "toy-xml") return &kToyXml;
  return service_for_test(name);
}

Headers take_headers(std::string_view& text) {
  Headers headers;
  for (std::string_view line = cut_off(text, "\n"); !line.empty(); line = cut_off(text, "\n")) {
    const std::string_view name = cut_off(line, ": ");
    headers.add(name, std::string(line));
  }
  return headers;
}

void must_come_back(const Service& service, const Operation& operation, const void* object) {
  const HttpRequest again = write_request(service, operation, object);
  Object same(*operation.input.shape);
  read_request(service, operation, again, parameters_of(service, again), same.get());
  const HttpRequest third = write_request(service, operation, same.get());
  fuzz_must(again.body == third.body, "a request's body changes when it is read and written");
  fuzz_must(again.query == third.query, "its query string changes");
  fuzz_must(again.path == third.path, "its path changes");
}

// Reads the beginning of a text, "SERVICE OPERATION".
std::pair<const Service*, const Operation*> take_operation(std::string_view& text) {
  std::string_view first = cut_off(text, "\n");
  const Service* const service = service_of(cut_off(first, " "));
  return {service, service != nullptr ? service->find(first) : nullptr};
}

template <class Value>
void fuzz_scalar(Type type, std::string_view text) {
  Value value{};
  try {
    read_scalar(type, text, &value, "it");
  } catch (const Refusal&) {
    return;
  }
  std::string once, twice;
  append_scalar(once, type, &value, TimeFormat::kIso8601);
  read_scalar(type, once, &value, "it");
  append_scalar(twice, type, &value, TimeFormat::kIso8601);
  fuzz_must(once == twice, "a scalar changes when it is written and read");
}

}  // namespace

Fuzzed fuzz_request(std::string_view input) {
  std::string_view target = cut_off(input, "\n");
  const Service* const service = service_of(cut_off(target, " "));
  if (service == nullptr) return Fuzzed::kStrayed;
  HttpRequest request;
  request.method = cut_off(target, " ");
  request.path = cut_off(target, "?");
  request.query = target;
  request.headers = take_headers(input);
  request.body = input;
  const Operation* operation = nullptr;
  std::unique_ptr<Object> object;
  try {
    const auto parameters = parameters_of(*service, request);
    operation = route(*service, request, parameters);
    if (operation == nullptr) return Fuzzed::kStrayed;
    object = std::make_unique<Object>(*operation->input.shape);
    read_request(*service, *operation, request, parameters, object->get());
  } catch (const Refusal& refusal) {
    const Error error = error_of(*service, refusal);
    fuzz_must(!error.code.empty(), "a refusal has no code");
    fuzz_must((error.status >= 400 && error.status < 500) || error.status == 501,
              "a refusal's status is neither 4xx nor 501");
    write_error(*service, error, "r-1");
    return Fuzzed::kRefused;
  }
  must_come_back(*service, *operation, object->get());
  return Fuzzed::kRead;
}

Fuzzed fuzz_response(std::string_view input) {
  const auto [service, operation] = take_operation(input);
  if (operation == nullptr) return Fuzzed::kStrayed;
  HttpResponse response;
  response.headers = take_headers(input);
  response.body = input;
  read_error(*service, response);
  Object object(*operation->output.shape);
  try {
    read_response(*service, *operation, response, object.get());
  } catch (const Refusal&) {
    return Fuzzed::kRefused;
  }
  write_response(*service, *operation, object.get(), "r-1");
  return Fuzzed::kRead;
}

Fuzzed fuzz_plain_json(std::string_view input) {
  const auto [service, operation] = take_operation(input);
  if (operation == nullptr) return Fuzzed::kStrayed;
  const Shape& shape = *operation->input.shape;
  Object object(shape);
  try {
    read_json(input, shape, object.get(), JsonStyle::kPlain);
  } catch (const Refusal&) {
    return Fuzzed::kRefused;
  }
  std::string once, twice;
  append_json(once, shape, object.get(), JsonStyle::kPlain);
  Object same(shape);
  read_json(once, shape, same.get(), JsonStyle::kPlain);
  append_json(twice, shape, same.get(), JsonStyle::kPlain);
  fuzz_must(once == twice, "plain JSON changes when it is written and read");
  return Fuzzed::kRead;
}

Fuzzed fuzz_scalars(std::string_view input) {
  fuzz_scalar<std::string>(Type::kBlob, input);
  fuzz_scalar<bool>(Type::kBoolean, input);
  fuzz_scalar<std::int64_t>(Type::kInteger, input);
  fuzz_scalar<std::int64_t>(Type::kLong, input);
  fuzz_scalar<double>(Type::kDouble, input);
  fuzz_scalar<Timestamp>(Type::kTimestamp, input);
  try {
    const std::string plain = percent_decode(input, true);
    std::string encoded;
    append_percent(encoded, plain);
    fuzz_must(percent_decode(encoded, true) == plain, "text changes by percent encoding");
  } catch (const Refusal&) {
    return Fuzzed::kRefused;
  }
  return Fuzzed::kRead;
}

Fuzzed fuzz_path(std::string_view input) {
  const std::string_view pattern = cut_off(input, "\n");
  return match_path(pattern, input) ? Fuzzed::kRead : Fuzzed::kRefused;
}

}  // namespace api
