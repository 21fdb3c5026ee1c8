#include "api/protocol.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <pugixml.hpp>

#include "api/error.h"
#include "api/json.h"
#include "api/refusal.h"
#include "api/rest.h"
#include "api/rest_route.h"
#include "api/rest_unknown.h"
#include "api/validate.h"
#include "api/xml.h"

namespace api {
namespace {

constexpr std::string_view kFormType = "application/x-www-form-urlencoded";
// The key of a form signed by version 2 (AWS General Reference, "Signature Version 2").
constexpr std::string_view kVersion2Key = "AWSAccessKeyId";
constexpr std::string_view kOfVersion2[] = {kVersion2Key,      "Expires",   "SecurityToken",
                                            "Signature",       "Timestamp", "SignatureMethod",
                                            "SignatureVersion"};

bool has_forms(const Service& service) {
  return service.protocol == Protocol::kEc2 || service.protocol == Protocol::kQuery;
}

FormStyle form_style(const Service& service) {
  return service.protocol == Protocol::kEc2 ? FormStyle::kEc2 : FormStyle::kQuery;
}

std::string form_response(const Service& service, const Operation& operation, const void* object,
                          const std::string& request_id, const WrittenList& written) {
  const Shape& shape = *operation.output.shape;
  std::string out;
  const auto end = std::back_inserter(out);
  fmt::format_to(
      end, FMT_COMPILE("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{}Response xmlns=\"{}\">"),
      operation.name, service.xmlns);
  if (service.protocol == Protocol::kEc2) {
    fmt::format_to(end, FMT_COMPILE("<requestId>{}</requestId>"), request_id);
    if (shape.members.empty()) out += "<return>true</return>";
    append_xml(out, shape, object, Way::kResponse, written);
  } else {
    // The element is needed even if the result has no members: botocore fails without it.
    if (!operation.output.root.empty())
      append_xml_element(out, operation.output.root, shape, object, "", Way::kResponse);
    fmt::format_to(end,
                   FMT_COMPILE("<ResponseMetadata><RequestId>{}</RequestId></ResponseMetadata>"),
                   request_id);
  }
  fmt::format_to(end, FMT_COMPILE("</{}Response>"), operation.name);
  return out;
}

void read_form_response(const Service& service, const Operation& operation, const std::string& body,
                        void* object) {
  pugi::xml_document document;
  pugi::xml_node node = parse_xml(document, body);
  if (service.protocol == Protocol::kQuery)
    node = node.child(std::string(operation.output.root).c_str());
  read_xml(node, *operation.output.shape, object, Way::kResponse, false);
}

std::string json_type(const Service& service) {
  return fmt::format("application/x-amz-json-{}", service.json_version);
}

// "Logs_20140328.PutLogEvents"
std::string target_of(const Service& service, std::string_view operation) {
  return fmt::format("{}.{}", service.target_prefix, operation);
}

const Operation* route_json(const Service& service, const HttpRequest& request) {
  const std::string* const target = request.headers.find("x-amz-target");
  if (target == nullptr) return nullptr;
  const Operation* const found = service.find(target->substr(target->rfind('.') + 1));
  return found != nullptr && *target == target_of(service, found->name) ? found : nullptr;
}

HttpResponse json_response(const Service& service, const Operation& operation, const void* object) {
  HttpResponse response;
  response.headers.add("content-type", json_type(service));
  if (!operation.output.shape->members.empty())
    append_json(response.body, *operation.output.shape, object, JsonStyle::kResponse);
  return response;
}

}  // namespace

bool has_form_body(const HttpRequest& request) {
  const std::string* const type = request.headers.find("content-type");
  return type != nullptr && type->starts_with(kFormType);
}

Parameters parameters_of(const Service& service, const HttpRequest& request) {
  Parameters parameters;
  parse_form(request.query, parameters);
  if (has_forms(service) && has_form_body(request)) parse_form(request.body, parameters);
  const bool older = has_forms(service) && !find_parameter(parameters, kVersion2Key).empty();
  std::erase_if(parameters, [older](const Parameter& p) {
    return is_of_signature(p.name) ||
           (older && std::ranges::find(kOfVersion2, p.name) != std::end(kOfVersion2));
  });
  return parameters;
}

const Operation* route(const Service& service, const HttpRequest& request,
                       const Parameters& parameters) {
  if (has_forms(service)) return service.find(find_parameter(parameters, "Action"));
  if (service.protocol == Protocol::kJson) return route_json(service, request);
  return route_rest(service, request, parameters);
}

void read_request(const Service& service, const Operation& operation, const HttpRequest& request,
                  const Parameters& parameters, void* object) {
  const Shape& shape = *operation.input.shape;
  if (has_forms(service)) {
    read_form(parameters, shape, object, form_style(service));
  } else if (service.protocol == Protocol::kJson) {
    read_json(request.body.empty() ? "{}" : request.body, shape, object, JsonStyle::kRequest);
  } else {
    read_rest_request(service, operation, request, parameters, object);
  }
  validate_request(service, operation, object);
}

void validate_request(const Service& service, const Operation& operation, const void* object) {
  const bool is_ec2 = service.protocol == Protocol::kEc2;
  validate(*operation.input.shape, object, is_ec2 ? kFormPaths : kCommonPaths);
}

HttpResponse write_response(const Service& service, const Operation& operation, const void* object,
                            const std::string& request_id, const WrittenList& written) {
  HttpResponse response;
  if (has_forms(service)) {
    response.headers.add("content-type", "text/xml;charset=UTF-8");
    response.body = form_response(service, operation, object, request_id, written);
  } else if (service.protocol == Protocol::kJson) {
    response = json_response(service, operation, object);
  } else {
    response = write_rest_response(service, operation, object);
  }
  add_request_id(response, service, request_id);
  return response;
}

HttpRequest write_request(const Service& service, const Operation& operation, const void* object) {
  const Shape& shape = *operation.input.shape;
  HttpRequest request;
  if (has_forms(service)) {
    request.headers.add("content-type", fmt::format("{}; charset=utf-8", kFormType));
    request.body = fmt::format("Action={}&Version={}", operation.name, service.version);
    append_form(request.body, shape, object, form_style(service));
  } else if (service.protocol == Protocol::kJson) {
    request.headers.add("x-amz-target", target_of(service, operation.name));
    request.headers.add("content-type", json_type(service));
    append_json(request.body, shape, object, JsonStyle::kRequest);
  } else {
    request = write_rest_request(service, operation, object);
  }
  return request;
}

void read_response(const Service& service, const Operation& operation, const HttpResponse& response,
                   void* object) {
  if (has_forms(service)) {
    read_form_response(service, operation, response.body, object);
  } else if (service.protocol != Protocol::kJson) {
    read_rest_response(service, operation, response, object);
  } else if (!response.body.empty()) {
    read_json(response.body, *operation.output.shape, object, JsonStyle::kResponse);
  }
}

}  // namespace api
