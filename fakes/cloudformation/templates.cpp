// Templates: checked, shown, and described.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "fakes/cloudformation/requests.h"

namespace fakes::cloudformation {
namespace {

using sim::stacks::ParameterDefinition;
using sim::stacks::Template;

Template template_of(Call& call, const api::Opt<std::string>& body,
                     const api::Opt<std::string>& url) {
  auto text = template_text(call, body, url);
  if (!text) throw sim::stacks::invalid("Either Template URL or Template Body must be specified.");
  return stacks(call.backend).validated(std::move(*text));
}

// Fills in the capabilities that a template needs.
template <class Response>
void show_capabilities(Call& call, const Template& of, Response& response) {
  response.capabilities = stacks(call.backend).needed_capabilities(of);
  if (response.capabilities.empty()) return;
  std::set<std::string> types;
  for (const auto& resource : of.resources)
    if (resource.type.starts_with("AWS::IAM::")) types.insert(resource.type);
  response.capabilities_reason =
      fmt::format("The following resource(s) require capabilities: [{}]", fmt::join(types, ", "));
}

aws::ParameterDeclaration declaration(const ParameterDefinition& of) {
  return {.default_value = of.default_value,
          .description = given(of.description),
          .no_echo = of.no_echo,
          .parameter_constraints = aws::ParameterConstraints{.allowed_values = of.allowed_values},
          .parameter_key = of.name,
          .parameter_type = of.type};
}

}  // namespace

op::ValidateTemplate::Response validate_template(Call& call,
                                                 const op::ValidateTemplate::Request& request) {
  const Template of = template_of(call, request.template_body, request.template_url);
  op::ValidateTemplate::Response response{.description = given(of.description)};
  response.parameters.give();
  for (const ParameterDefinition& parameter : of.parameters)
    response.parameters.push_back({.default_value = parameter.default_value,
                                   .description = given(parameter.description),
                                   .no_echo = parameter.no_echo,
                                   .parameter_key = parameter.name});
  show_capabilities(call, of, response);
  return response;
}

op::GetTemplate::Response get_template(Call& call, const op::GetTemplate::Request& request) {
  auto& all = stacks(call.backend);
  op::GetTemplate::Response response{.stages_available = {"Original", "Processed"}};
  if (request.change_set_name) {
    response.template_body =
        all.change_set(request.stack_name.value_or(""), *request.change_set_name).set.next.of->text;
    return response;
  }
  if (!request.stack_name) throw sim::stacks::invalid("StackName must be specified");
  response.template_body = all.stack(*request.stack_name).now.of->text;
  return response;
}

op::GetTemplateSummary::Response get_summary(Call& call,
                                             const op::GetTemplateSummary::Request& request) {
  const Template of = request.stack_name
                          ? *stacks(call.backend).stack(*request.stack_name).now.of
                          : template_of(call, request.template_body, request.template_url);
  op::GetTemplateSummary::Response response{.description = given(of.description),
                                            .version = given(of.version)};
  if (!of.metadata.is_null()) response.metadata = of.metadata.dump();
  response.parameters.give();
  for (const ParameterDefinition& parameter : of.parameters)
    response.parameters.push_back(declaration(parameter));
  for (const auto& resource : of.resources)
    if (std::ranges::find(response.resource_types, resource.type) == response.resource_types.end())
      response.resource_types.push_back(resource.type);
  show_capabilities(call, of, response);
  return response;
}

}  // namespace fakes::cloudformation
