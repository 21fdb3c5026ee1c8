#include "fakes/autoscaling/requests.h"

#include <fmt/format.h>

#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/launch_templates.h"
#include "fakes/ec2/requests.h"

namespace fakes::autoscaling {
namespace {

using sim::cloud::LaunchTemplateId;

// The present content of a launch template's version.
model::LaunchRequest read_template(Backend& backend, const LaunchTemplateId& id,
                                   const std::string& named) {
  const Call call(backend);
  const auto& version = call.cloud.launch_template_version(id, named);
  model::LaunchRequest request{.spec = version.data, .made = version.created_at};
  auto& spec = request.spec;
  if (spec.image_id.empty())
    throw validation_error(
        "You must use a valid fully-formed launch template. The request must "
        "contain the parameter ImageId");
  spec.image_id = ec2::resolved_image_id(backend, spec.image_id);
  ec2::check_groups(spec);
  ec2::fill_in_defaults(spec);
  spec.launch_template = id;
  spec.launch_template_version = std::to_string(version.number);
  const auto market = ec2::given_data(version).instance_market_options;
  request.spot = market && market->market_type.value_or("spot") == "spot";
  if (request.spot && market->spot_options)
    spec.max_price = ec2::price(market->spot_options->max_price, "MaxPrice");
  return request;
}

}  // namespace

ApiError validation_error(const std::string& message) { return {"ValidationError", message}; }

api::Timestamp timestamp(sim::Time time) { return ec2::timestamp(time); }
sim::Time time(api::Timestamp time) { return ec2::time(time); }

int whole(const api::Opt<std::int64_t>& value, const char* name, int otherwise, int low, int high) {
  if (!value) return otherwise;
  if (*value < low || *value > high)
    throw validation_error(
        fmt::format("{} must be between {} and {}. It is {}.", name, low, high, *value));
  return static_cast<int>(*value);
}

std::vector<sim::cloud::InstanceId> ids(const api::List<std::string>& texts) {
  std::vector<sim::cloud::InstanceId> all;
  for (const auto& text : texts) all.push_back({text});
  return all;
}

model::LaunchSource configuration_source(const Call& call, const std::string& name) {
  const auto& groups = call.backend.groups;
  groups.launch_configuration(name);
  return {.launch_configuration = name,
          .read = [&groups, name] { return groups.launch_configuration(name).request; }};
}

model::LaunchSource template_source(const Call& call,
                                    const aws::LaunchTemplateSpecification& named) {
  if (named.launch_template_id.has_value() == named.launch_template_name.has_value())
    throw validation_error(
        "Valid requests must contain either launchTemplateId or LaunchTemplateName");
  return as_validation([&] {
    const auto& found =
        ec2::find_launch_template(call, named.launch_template_id, named.launch_template_name);
    const std::string version = named.version.value_or("$Default");
    model::LaunchSource source{.launch_template = found.id,
                               .template_name = found.name,
                               .version = named.version.value_or(""),
                               .read = [&backend = call.backend, id = found.id, version] {
                                 return read_template(backend, id, version);
                               }};
    source.read();
    return source;
  });
}

aws::LaunchTemplateSpecification shown_template(const model::LaunchSource& source) {
  aws::LaunchTemplateSpecification shown{.launch_template_id = source.launch_template.value,
                                         .launch_template_name = source.template_name};
  if (!source.version.empty()) shown.version = source.version;
  return shown;
}

}  // namespace fakes::autoscaling
