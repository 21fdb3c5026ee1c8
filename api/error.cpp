#include "api/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "api/xml.h"
#include "base/text/base64.h"

namespace api {
namespace {

using Why = Refusal::Why;

bool is_low(const Refusal& refusal) {
  return refusal.why == Why::kMin || refusal.why == Why::kShort;
}
bool is_high(const Refusal& refusal) {
  return refusal.why == Why::kMax || refusal.why == Why::kLong;
}

Error ec2_refusal(const Refusal& refusal) {
  const std::string& where = refusal.where;
  switch (refusal.why) {
    case Why::kMissing:
      return {"MissingParameter", "The request must contain the parameter " + where};
    case Why::kUnknown:
      return {"UnknownParameter", "The parameter " + where + " is not recognized"};
    case Why::kMalformed:
      return {"MalformedQueryString", refusal.expected};
    default:
      break;
  }
  std::string expected;
  if (refusal.why == Why::kType) expected = fmt::format(" Expected {}.", refusal.expected);
  if (is_low(refusal)) expected = fmt::format(" Expected at least {}.", refusal.expected);
  if (is_high(refusal)) expected = fmt::format(" Expected at most {}.", refusal.expected);
  return {"InvalidParameterValue",
          fmt::format("Value ({}) for parameter {} is invalid.{}", refusal.found, where, expected)};
}

// S3's error codes (S3 API reference, "Error responses").
Error s3_refusal(const Refusal& refusal) {
  const std::string& where = refusal.where;
  switch (refusal.why) {
    case Why::kMissing:
      return {"InvalidRequest", fmt::format("Missing required parameter {}.", where)};
    case Why::kUnknown:
      return {"MalformedXML", fmt::format("The XML has no element {}.", where)};
    case Why::kMalformed:
      return {"MalformedXML", refusal.expected};
    default:
      break;
  }
  if (refusal.why == Why::kEnum && where == "storageClass")
    return {"InvalidStorageClass",
            "The storage class you specified is not valid",
            400,
            {{"StorageClassRequested", refusal.found}}};
  if (refusal.why == Why::kType && refusal.expected == "an integer")
    return {"InvalidArgument",
            fmt::format("Provided {} not an integer or within integer range", where),
            400,
            {{"ArgumentName", where}, {"ArgumentValue", refusal.found}}};
  std::string_view bound;
  if (refusal.why == Why::kEnum) bound = "one of ";
  if (is_low(refusal)) bound = "at least ";
  if (is_high(refusal)) bound = "at most ";
  return {"InvalidArgument", fmt::format("'{}' at {} is invalid: expected {}{}.", refusal.found,
                                         where, bound, refusal.expected)};
}

// The code with which the common front end refuses an invalid request.
std::string validation_code(const Service& service) {
  if (service.protocol == Protocol::kQuery) return "ValidationError";
  for (const std::string_view own : {"logs", "ecr"})
    if (service.name == own) return "InvalidParameterException";
  return "ValidationException";
}

// The messages of the services that use AWS's common front end.
Error common_refusal(const Service& service, const Refusal& refusal) {
  const bool form = service.protocol == Protocol::kQuery;
  if (refusal.why == Why::kMalformed || refusal.why == Why::kType) {
    const std::string what =
        refusal.where.empty()
            ? refusal.expected
            : fmt::format("{}: '{}' is not {}", refusal.where, refusal.found, refusal.expected);
    return {form ? "MalformedInput" : "SerializationException", what};
  }
  // AWS ignores unknown parameters. These messages are those of the AWS SDKs.
  if (refusal.why == Why::kUnknown)
    return {validation_code(service),
            fmt::format("Unknown parameter in input: \"{}\"{}{}", refusal.where,
                        refusal.expected.empty() ? "" : ", must be one of: ", refusal.expected)};
  std::string must;
  switch (refusal.why) {
    case Why::kMissing:
      must = "not be null";
      break;
    case Why::kEnum:
      must = fmt::format("satisfy enum value set: [{}]", refusal.expected);
      break;
    case Why::kMin:
    case Why::kShort:
    case Why::kMax:
    case Why::kLong: {
      const bool number = refusal.why == Why::kMin || refusal.why == Why::kMax;
      must = fmt::format("have {} {} than or equal to {}", number ? "value" : "length",
                         is_low(refusal) ? "greater" : "less", refusal.expected);
      break;
    }
    default:
      must = "be " + refusal.expected;
  }
  const std::string found =
      refusal.why == Why::kMissing ? "null" : fmt::format("'{}'", refusal.found);
  return {validation_code(service),
          fmt::format("1 validation error detected: Value {} at '{}' failed to satisfy "
                      "constraint: Member must {}",
                      found, refusal.where, must)};
}

void append_text(std::string& out, std::string_view name, std::string_view text) {
  ((out += '<') += name) += '>';
  append_xml_text(out, text);
  ((out += "</") += name) += '>';
}

// A text with the length of AWS's host IDs. It is the same for the same request.
std::string host_id_of(const std::string& request_id) {
  constexpr std::size_t kBytes = 56;
  std::string bytes;
  while (bytes.size() < kBytes) bytes += request_id + "/";
  return base::base64_encode(std::string_view(bytes).substr(0, kBytes));
}

std::string xml_error(const Service& service, const Error& error, const std::string& request_id) {
  std::string what;
  append_text(what, "Code", error.code);
  append_text(what, "Message", error.message);
  std::string id;
  append_text(id, service.protocol == Protocol::kEc2 ? "RequestID" : "RequestId", request_id);
  switch (service.protocol) {
    case Protocol::kEc2:
      return fmt::format("{}<Response><Errors><Error>{}</Error></Errors>{}</Response>", kXmlHead,
                         what, id);
    case Protocol::kQuery:
      return fmt::format(
          "{}<ErrorResponse xmlns=\"{}\"><Error><Type>{}</Type>{}</Error>{}</ErrorResponse>",
          kXmlHead, service.xmlns, error.status < 500 ? "Sender" : "Receiver", what, id);
    default:
      for (const auto& [element, text] : error.details) append_text(what, element, text);
      append_text(id, "HostId", host_id_of(request_id));
      return fmt::format("{}<Error>{}{}</Error>", kXmlHead, what, id);
  }
}

Error read_xml_error(const HttpResponse& response) {
  pugi::xml_document document;
  if (!document.load_buffer(response.body.data(), response.body.size()))
    return {"", "", response.status};
  pugi::xml_node root = document.document_element();
  if (const auto errors = root.child("Errors")) root = errors;
  const auto error = root.child("Error") ? root.child("Error") : root;
  return {error.child_value("Code"), error.child_value("Message"), response.status};
}

bool is_json(const Service& service) {
  return service.protocol == Protocol::kJson || service.protocol == Protocol::kRestJson;
}

// The name of an error in JSON. A service that also speaks the query protocol gives that protocol's
// code in a header, which botocore shows (Smithy, "AWS query compatible trait").
std::string json_error_name(const Service& service, const Error& error, HttpResponse& response) {
  if (service.error_namespace.empty()) return error.code;
  response.headers.add(
      "x-amzn-query-error",
      fmt::format("{};{}", error.code, error.status < 500 ? "Sender" : "Receiver"));
  const auto row = std::ranges::find(service.query_errors, error.code, &QueryError::code);
  const std::string_view shape = row == service.query_errors.end() ? error.code : row->shape;
  return fmt::format("{}#{}", service.error_namespace, shape);
}

}  // namespace

Error error_of(const Service& service, const Refusal& refusal) {
  if (refusal.why == Why::kUnsupported && service.protocol == Protocol::kRestXml)
    return {"NotImplemented",
            fmt::format("A header, a query key or an element that you provided implies "
                        "functionality that is not implemented in this simulated AWS: {}",
                        refusal.where),
            501};
  if (refusal.why == Why::kUnsupported)
    return {"UnsupportedOperation",
            fmt::format("The parameter {} is not supported by this simulated AWS.", refusal.where)};
  if (service.protocol == Protocol::kEc2) return ec2_refusal(refusal);
  if (service.protocol == Protocol::kRestXml) return s3_refusal(refusal);
  return common_refusal(service, refusal);
}

std::string_view request_id_header(const Service& service) {
  return service.name == "s3" ? "x-amz-request-id" : "x-amzn-RequestId";
}

void add_request_id(HttpResponse& response, const Service& service, const std::string& request_id) {
  response.headers.add(request_id_header(service), request_id);
  if (service.protocol == Protocol::kRestXml)
    response.headers.add("x-amz-id-2", host_id_of(request_id));
}

HttpResponse write_error(const Service& service, const Error& error,
                         const std::string& request_id) {
  HttpResponse response{.status = error.status, .headers = {}, .body = {}};
  add_request_id(response, service, request_id);
  if (is_json(service)) {
    response.headers.add("content-type",
                         service.protocol == Protocol::kJson
                             ? fmt::format("application/x-amz-json-{}", service.json_version)
                             : "application/json");
    const std::string name = json_error_name(service, error, response);
    response.headers.add("x-amzn-ErrorType", name);
    response.body = nlohmann::json{{"__type", name}, {"message", error.message}}.dump(
        -1, ' ', false, nlohmann::json::error_handler_t::replace);
  } else {
    const bool s3 = service.protocol == Protocol::kRestXml;
    response.headers.add("content-type", s3 ? "application/xml" : "text/xml;charset=UTF-8");
    response.body = xml_error(service, error, request_id);
  }
  return response;
}

Error read_error(const Service& service, const HttpResponse& response) {
  if (!is_json(service)) return read_xml_error(response);
  const auto body = nlohmann::json::parse(response.body, nullptr, false);
  if (!body.is_object()) return {"", "", response.status};
  const auto text = [&](const char* name) {
    const auto found = body.find(name);
    return found != body.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  std::string code = text("__type");
  if (const std::string* type = response.headers.find("x-amzn-ErrorType"); type && code.empty())
    code = type->substr(0, type->find(':'));
  code.erase(0, code.find('#') + 1);  // "com.amazonaws.sagemaker#ResourceNotFound"; npos + 1 is 0
  std::string message = text("message");
  return {std::move(code), message.empty() ? text("Message") : std::move(message), response.status};
}

}  // namespace api
