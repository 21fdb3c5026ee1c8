#include "sim/guest/fiber/wire_check.h"

#include <fmt/format.h>

#include <optional>

#include "api/difference.h"
#include "api/protocol.h"
#include "api/refusal.h"
#include "api/value.h"

namespace sim::guest {
namespace {

using fakes::DirectReply;
using fakes::DirectRequest;

std::string error_difference(const api::Error& direct, const api::Error& on_wire) {
  const auto told = [](const api::Error& error) {
    return fmt::format("{} {}: {}", error.status, error.code, error.message);
  };
  return told(direct) == told(on_wire) ? "" : fmt::format("{}, {}", told(direct), told(on_wire));
}

// A request as the service would read it.
struct ReadRequest {
  std::string difference;           // difference from the original
  std::optional<api::Error> error;  // the service would refuse it
};
ReadRequest sent(const DirectRequest& asked) {
  const api::HttpRequest http = api::write_request(asked.service, asked.operation, asked.request);
  const auto parameters = api::parameters_of(asked.service, http);
  if (api::route(asked.service, http, parameters) != &asked.operation)
    return {"is for another operation", {}};
  const api::Shape& shape = *asked.operation.input.shape;
  api::Object read(shape);
  try {
    api::read_request(asked.service, asked.operation, http, parameters, read.get());
  } catch (const api::Refusal& refused) {
    return {"", api::error_of(asked.service, refused)};
  }
  return {api::first_difference(shape, asked.request, read.get()), {}};
}

// The difference between an answer and what the client would read of it.
std::string answer_difference(const DirectRequest& asked, const DirectReply& reply) {
  const std::string id = "request-id";
  if (!reply.response) {
    api::HttpResponse http = api::write_error(asked.service, reply.error, id);
    api::Error read = api::read_error(asked.service, http);
    read.status = http.status;
    return error_difference(reply.error, read);
  }
  const api::Shape& shape = *asked.operation.output.shape;
  api::Object read(shape);
  try {
    api::read_response(
        asked.service, asked.operation,
        api::write_response(asked.service, asked.operation, reply.response.get(), id), read.get());
  } catch (const api::Refusal& refused) {
    return refused.what();
  }
  return api::first_difference(shape, reply.response.get(), read.get());
}

}  // namespace

fakes::DirectHandler checked_on_the_wire(fakes::DirectHandler handler,
                                         std::function<void(const std::string&)> differs) {
  return [handler = std::move(handler), differs = std::move(differs)](const DirectRequest& asked) {
    const auto tell = [&](std::string_view what, const std::string& difference) {
      if (!difference.empty())
        differs(fmt::format("{}: {}: {}", asked.operation.name, what, difference));
    };
    const ReadRequest request = sent(asked);
    tell("request", request.difference);
    DirectReply reply = handler(asked);
    if (request.error) tell("error of the request", error_difference(reply.error, *request.error));
    tell("answer", answer_difference(asked, reply));
    return reply;
  };
}

}  // namespace sim::guest
