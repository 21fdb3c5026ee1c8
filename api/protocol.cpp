#include "api/protocol.h"

#include <fmt/format.h>

#include <pugixml.hpp>

#include "api/refusal.h"
#include "api/validate.h"
#include "api/xml.h"

namespace api {
namespace {

constexpr std::string_view kFormType = "application/x-www-form-urlencoded";

bool has_forms(const Service& service) {
  return service.protocol == Protocol::kEc2 || service.protocol == Protocol::kQuery;
}

FormStyle form_style(const Service& service) {
  return service.protocol == Protocol::kEc2 ? FormStyle::kEc2 : FormStyle::kQuery;
}

std::string form_response(const Service& service, const Operation& operation, const void* object,
                          const std::string& request_id) {
  const Shape& shape = *operation.output.shape;
  std::string out =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{}Response xmlns=\"{}\">",
                  operation.name, service.xmlns);
  if (service.protocol == Protocol::kEc2) {
    out += fmt::format("<requestId>{}</requestId>", request_id);
    if (shape.members.empty()) out += "<return>true</return>";
    append_xml(out, shape, object, Way::kResponse);
  } else {
    // Also where the result has no members: botocore fails without it.
    if (!operation.output.root.empty())
      append_xml_element(out, operation.output.root, shape, object, "", Way::kResponse);
    out +=
        fmt::format("<ResponseMetadata><RequestId>{}</RequestId></ResponseMetadata>", request_id);
  }
  return fmt::format("{}</{}Response>", out, operation.name);
}

void read_form_response(const Service& service, const Operation& operation, const std::string& body,
                        void* object) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(body.data(), body.size(),
                                           pugi::parse_default | pugi::parse_ws_pcdata_single);
  if (!parsed) throw Refusal(Refusal::Why::kMalformed, "", "", parsed.description());
  pugi::xml_node node = document.document_element();
  if (service.protocol == Protocol::kQuery)
    node = node.child(std::string(operation.output.root).c_str());
  read_xml(node, *operation.output.shape, object, Way::kResponse, false);
}

}  // namespace

Parameters parameters_of(const Service& service, const HttpRequest& request) {
  Parameters parameters;
  if (!has_forms(service)) return parameters;
  parse_form(request.query, parameters);
  const std::string* const type = request.headers.find("content-type");
  if (type != nullptr && type->starts_with(kFormType)) parse_form(request.body, parameters);
  std::erase_if(parameters, [](const Parameter& p) { return p.name.starts_with("X-Amz-"); });
  return parameters;
}

const Operation* route(const Service& service, const HttpRequest&, const Parameters& parameters) {
  return service.find(find_parameter(parameters, "Action"));
}

void read_request(const Service& service, const Operation& operation, const HttpRequest&,
                  const Parameters& parameters, void* object) {
  read_form(parameters, *operation.input.shape, object, form_style(service));
  validate_request(service, operation, object);
}

void validate_request(const Service&, const Operation& operation, const void* object) {
  validate(*operation.input.shape, object, form_child);
}

HttpResponse write_response(const Service& service, const Operation& operation, const void* object,
                            const std::string& request_id) {
  HttpResponse response;
  response.headers.add("x-amzn-RequestId", request_id);
  response.headers.add("content-type", "text/xml;charset=UTF-8");
  response.body = form_response(service, operation, object, request_id);
  return response;
}

HttpRequest write_request(const Service& service, const Operation& operation, const void* object) {
  HttpRequest request;
  request.headers.add("content-type", fmt::format("{}; charset=utf-8", kFormType));
  request.body = fmt::format("Action={}&Version={}", operation.name, service.version);
  append_form(request.body, *operation.input.shape, object, form_style(service));
  return request;
}

void read_response(const Service& service, const Operation& operation, const HttpResponse& response,
                   void* object) {
  read_form_response(service, operation, response.body, object);
}

}  // namespace api
