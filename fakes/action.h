// An action of a service: its operation and the handler that performs it.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/http.h"
#include "api/table.h"
#include "api/types.h"
#include "api/written_list.h"
#include "fakes/backend.h"

namespace fakes {

// Appends an element of a list of the response, as XML.
void append_element(std::string& text, const api::Operation& operation, std::string_view list,
                    const void* element);

// A client of an action that waits for its response.
struct WaitingCaller {
  std::function<bool()> listens;  // false: it has closed its connection
  std::function<void(std::shared_ptr<const void> response)> respond;  // call it once
};

// The context of a handler. A handler refuses a request by throwing ApiError.
struct Call {
  explicit Call(Backend& behind)
      : backend(behind), cloud(behind.cloud), now(behind.simulation.now()) {}

  Backend& backend;
  sim::cloud::Cloud& cloud;
  const sim::Time now;
  // An instance's ID or "operator"; empty for callers that send structs.
  std::string_view caller = {};
  const api::Operation* operation = nullptr;  // set by fakes::perform()
  // Null where IAM does not decide, and for services that call each other. callers.h names the
  // caller of every call.
  const sim::iam::Caller* identity = nullptr;
  // The request as it arrived. Null for callers that send structs.
  const api::HttpRequest* http = nullptr;
  // The region of the request, if the endpoint serves all regions. Else empty.
  std::string region = {};
  // For a client that takes XML: a list of the response as text, in place of its elements. Null for
  // a client that takes the struct.
  api::WrittenList* written = nullptr;

  // ---- for services with bodies of any length
  //
  // The request's body, if it is too long for its struct.
  std::optional<sim::objects::Body> upload = {};
  // The response's body, in place of the struct's member.
  std::optional<LongBody> download = {};
  int status = 0;  // HTTP's, in place of the operation's status

  // ---- services that name themselves in their responses, or let clients wait
  //
  // Where the client reached the service: "https://sqs.us-west-2.amazonaws.com". Empty for callers
  // that send structs.
  std::string endpoint = {};
  // The request has no signature, because it is a link in one of SNS's messages.
  bool is_link = false;
  // Set by a handler whose response comes later; its returned response is then ignored.
  std::function<void(WaitingCaller)> pending = {};

  // Fills a list of the response, the member of that name, with `show` of each record. For XML, a
  // record is rendered again only if its revision has changed since the last response.
  template <class List, class Record, class Show>
  void list(std::string_view member, List& into, const std::vector<const Record*>& records,
            Show show) {
    into.give();
    if (written == nullptr) {
      into.reserve(records.size());
      for (const Record* record : records) into.push_back(show(*record));
      return;
    }
    api::ElementTexts& texts = backend.element_texts[operation->name];
    written->member = member;
    written->elements.reserve(records.size());
    for (const Record* record : records)
      written->elements.push_back(
          texts.of(record->number, record->revision, [&](std::string& text) {
            const auto element = show(*record);
            append_element(text, *operation, member, &element);
          }));
  }
};

// A time as responses show it.
inline api::Timestamp timestamp(sim::Time time) { return api::Timestamp{time.time_since_epoch()}; }

struct ActionRow {
  const api::Operation* operation;
  bool (*is_dry_run)(const void* request);
  // Returns the request's client token. Empty if the request has none.
  std::string (*client_token)(const void* request);
  std::shared_ptr<const void> (*perform)(Call& call, const void* request);
};

// The request's own token, or the token of the configuration in it (RequestSpotFleet).
template <class Request>
std::string client_token_of(const Request& request) {
  if constexpr (requires { request.client_token; }) {
    return request.client_token.value_or("");
  } else if constexpr (requires { request.spot_fleet_request_config; }) {
    return client_token_of(*request.spot_fleet_request_config);
  } else {
    return "";
  }
}

// A row for `Response kHandler(Call&, const Request&)`.
template <class Op, auto kHandler>
ActionRow action() {
  using In = typename Op::Request;
  using Out = typename Op::Response;
  return {.operation = &Op::service().operations[Op::kAt],
          .is_dry_run =
              [](const void* request) {
                if constexpr (requires(const In& r) { r.dry_run; })
                  return static_cast<const In*>(request)->dry_run.value_or(false);
                return false;
              },
          .client_token =
              [](const void* request) { return client_token_of(*static_cast<const In*>(request)); },
          .perform = [](Call& call, const void* request) -> std::shared_ptr<const void> {
            return std::make_shared<const Out>(kHandler(call, *static_cast<const In*>(request)));
          }};
}

// The rows that the functions of a service's files return.
std::vector<ActionRow> joined(std::initializer_list<std::vector<ActionRow> (*)()> parts);

}  // namespace fakes
