// Labels of a parameter's versions.
#include "fakes/ssm/actions.h"
#include "fakes/ssm/names.h"

namespace fakes::ssm {
namespace {

op::LabelParameterVersion::Response label_version(
    Call& call, const op::LabelParameterVersion::Request& request) {
  ParameterStore& store = call.backend.parameters;
  const std::string& name = request.name.value();
  const std::int64_t version =
      request.parameter_version.value_or(store.parameter(name).newest().number);
  op::LabelParameterVersion::Response response;
  response.invalid_labels.give();
  std::set<std::string> labels;
  for (const std::string& label : request.labels)
    if (is_label(label))
      labels.insert(label);
    else
      response.invalid_labels.push_back(label);
  store.label(name, version, labels);
  if (!labels.empty())
    report_change(call.backend, name, store.parameter(name).versions.at(version),
                  "LabelParameterVersion");
  response.parameter_version = version;
  return response;
}

op::UnlabelParameterVersion::Response unlabel_version(
    Call& call, const op::UnlabelParameterVersion::Request& request) {
  op::UnlabelParameterVersion::Response response;
  response.invalid_labels.give();
  response.removed_labels.give();
  for (const std::string& label : request.labels)
    (call.backend.parameters.unlabel(request.name.value(), request.parameter_version.value(), label)
         ? response.removed_labels
         : response.invalid_labels)
        .push_back(label);
  return response;
}

}  // namespace

std::vector<ActionRow> label_actions() {
  return {action<op::LabelParameterVersion, label_version>(),
          action<op::UnlabelParameterVersion, unlabel_version>()};
}

}  // namespace fakes::ssm
