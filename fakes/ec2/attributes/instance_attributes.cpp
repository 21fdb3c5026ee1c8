// DescribeInstanceAttribute and ModifyInstanceAttribute.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/base64.h"
#include "fakes/ec2/actions.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::Instance;

aws::AttributeBooleanValue truth(bool value) { return {.value = value}; }

struct AttributeRow {
  std::string_view name;
  void (*show)(aws::InstanceAttribute&, const Call&, const Instance&);
};
// Without enaSupport, which DescribeInstanceAttribute does not support (EC2 API reference).
constexpr AttributeRow kAttributes[] = {
    {"blockDeviceMapping",
     [](aws::InstanceAttribute& out, const Call& call, const Instance& i) {
       out.block_device_mappings = shown_block_devices(call, i);
     }},
    {"disableApiStop", [](aws::InstanceAttribute& out, const Call&,
                          const Instance&) { out.disable_api_stop = truth(false); }},
    {"disableApiTermination",
     [](aws::InstanceAttribute& out, const Call&, const Instance& i) {
       out.disable_api_termination = truth(i.disable_api_termination);
     }},
    {"ebsOptimized", [](aws::InstanceAttribute& out, const Call&,
                        const Instance& i) { out.ebs_optimized = truth(i.spec.ebs_optimized); }},
    {"enclaveOptions", [](aws::InstanceAttribute& out, const Call&,
                          const Instance&) { out.enclave_options.emplace().enabled = false; }},
    {"groupSet",
     [](aws::InstanceAttribute& out, const Call& call, const Instance& i) {
       out.groups = shown_groups(call.backend, i.spec.security_group_ids);
     }},
    {"instanceInitiatedShutdownBehavior",
     [](aws::InstanceAttribute& out, const Call&, const Instance& i) {
       out.instance_initiated_shutdown_behavior.emplace().value =
           i.spec.stops_itself ? "stop" : "terminate";
     }},
    {"instanceType",
     [](aws::InstanceAttribute& out, const Call&, const Instance& i) {
       out.instance_type.emplace().value = i.spec.instance_type;
     }},
    {"kernel", [](aws::InstanceAttribute&, const Call&, const Instance&) {}},
    {"productCodes",
     [](aws::InstanceAttribute& out, const Call&, const Instance&) { out.product_codes.give(); }},
    {"ramdisk", [](aws::InstanceAttribute&, const Call&, const Instance&) {}},
    {"rootDeviceName",
     [](aws::InstanceAttribute& out, const Call&, const Instance&) {
       out.root_device_name.emplace().value = kRootDeviceName;
     }},
    {"sourceDestCheck",
     [](aws::InstanceAttribute& out, const Call& call, const Instance& i) {
       out.source_dest_check = truth(checks_source_dest(call.backend, i));
     }},
    {"sriovNetSupport", [](aws::InstanceAttribute&, const Call&, const Instance&) {}},
    {"userData",
     [](aws::InstanceAttribute& out, const Call&, const Instance& i) {
       out.user_data.emplace();
       if (!i.spec.user_data.empty()) out.user_data->value = base::base64_encode(i.spec.user_data);
     }},
};

const AttributeRow& attribute_row(const std::string& name) {
  const auto* const row = std::ranges::find(kAttributes, name, &AttributeRow::name);
  if (row == std::end(kAttributes)) throw invalid("attribute", name, "Unknown attribute.");
  return *row;
}

// ---- changes of one attribute each

void set_shutdown_behavior(Call& call, const Instance& instance, const std::string& value) {
  if (value != "stop" && value != "terminate")
    throw invalid("InstanceInitiatedShutdownBehavior", value, "Expected stop or terminate.");
  call.cloud.set_shutdown_behavior(instance.id, value == "stop");
}

// An instance with several interfaces has the attribute on each of them.
void set_source_dest_check(Call& call, const Instance& instance, const std::string& value) {
  auto& interfaces = call.cloud.network().interfaces;
  const auto all = interfaces.all_of(instance.id.value);
  if (all.size() != 1)
    throw ApiError("InvalidInstanceID",
                   fmt::format("There are {} interfaces attached to instance '{}'. Please specify "
                               "an interface ID for the operation instead.",
                               all.empty() ? "no" : "multiple", instance.id.value));
  interfaces.table.find(all[0]->id).source_dest_check = value == "true";
}

struct ChangeRow {
  std::string_view name;
  bool is_truth;  // its value is "true" or "false"
  void (*apply)(Call&, const Instance&, const std::string& value);
};
constexpr ChangeRow kChanges[] = {
    {"disableApiTermination", true,
     [](Call& call, const Instance& i, const std::string& value) {
       call.cloud.set_disable_api_termination(i.id, value == "true");
     }},
    {"ebsOptimized", true,
     [](Call& call, const Instance& i, const std::string& value) {
       call.cloud.set_ebs_optimized(i.id, value == "true");
     }},
    {"instanceInitiatedShutdownBehavior", false, set_shutdown_behavior},
    {"instanceType", false,
     [](Call& call, const Instance& i, const std::string& value) {
       call.cloud.set_instance_type(i.id, value);
     }},
    {"sourceDestCheck", true, set_source_dest_check},
    {"userData", false,
     [](Call& call, const Instance& i, const std::string& value) {
       call.cloud.set_user_data(i.id, value);
     }},
};

void change(Call& call, const Instance& instance, std::string_view name, const std::string& value) {
  const auto* const row = std::ranges::find(kChanges, name, &ChangeRow::name);
  if (row == std::end(kChanges))
    throw unsupported("Attribute " + std::string(attribute_row(std::string(name)).name));
  if (row->is_truth && value != "true" && value != "false")
    throw invalid("Value", value, "Expected true or false.");
  row->apply(call, instance, value);
}

// The older form of a request: an attribute's name, and its value as a text.
void modify_named(Call& call, const Instance& instance,
                  const aws::ModifyInstanceAttributeRequest& in) {
  const std::string& name = *in.attribute;
  attribute_row(name);
  if (name == "userData") return change(call, instance, name, read_user_data(in.value));
  const bool known = std::ranges::find(kChanges, name, &ChangeRow::name) != std::end(kChanges);
  change(call, instance, name, known ? required(in.value, "Value") : "");
}

void modify_devices(Call& call, const Instance& instance,
                    const api::List<aws::InstanceBlockDeviceMappingSpecification>& devices) {
  for (const auto& device : devices) {
    const std::string& name = required(device.device_name, "BlockDeviceMapping.DeviceName");
    if (!device.ebs || !device.ebs->delete_on_termination)
      throw missing("BlockDeviceMapping.Ebs.DeleteOnTermination");
    call.cloud.set_delete_on_termination(instance.id, name, *device.ebs->delete_on_termination);
  }
}

// Replaces the instance's security groups. There must be at least one, by ID.
void modify_groups(Call& call, const Instance& instance, const std::vector<std::string>& groups) {
  check_security_group_ids(groups);
  call.cloud.set_security_groups(instance.id, groups);
}

std::string value_text(const aws::AttributeBooleanValue& truth) {
  return truth.value.value_or(false) ? "true" : "false";
}
std::string value_text(const aws::AttributeValue& value) { return value.value.value_or(""); }
std::string value_text(const aws::BlobAttributeValue& value) { return value.value.value_or(""); }

// The attributes with a member of their own that the request changes, with their values.
std::vector<std::pair<std::string_view, std::string>> changes_of(
    const aws::ModifyInstanceAttributeRequest& in) {
  std::vector<std::pair<std::string_view, std::string>> changes;
  const auto add = [&](std::string_view name, const auto& member) {
    if (member) changes.emplace_back(name, value_text(*member));
  };
  add("disableApiTermination", in.disable_api_termination);
  add("ebsOptimized", in.ebs_optimized);
  add("instanceInitiatedShutdownBehavior", in.instance_initiated_shutdown_behavior);
  add("instanceType", in.instance_type);
  add("sourceDestCheck", in.source_dest_check);
  add("userData", in.user_data);
  return changes;
}

}  // namespace

aws::InstanceAttribute describe_instance_attribute(
    Call& call, const aws::DescribeInstanceAttributeRequest& request) {
  const AttributeRow& row = attribute_row(required(request.attribute, "attribute"));
  const Instance& instance =
      call.cloud.shown(instance_id(required(request.instance_id, "instanceId")));
  aws::InstanceAttribute response{.instance_id = instance.id.value};
  row.show(response, call, instance);
  return response;
}

op::ModifyInstanceAttribute::Response modify_instance_attribute(
    Call& call, const aws::ModifyInstanceAttributeRequest& request) {
  const Instance& instance =
      call.cloud.shown(instance_id(required(request.instance_id, "instanceId")));
  const auto changes = changes_of(request);
  const std::size_t given = changes.size() + (request.attribute ? 1 : 0) +
                            (request.block_device_mappings.empty() ? 0 : 1) +
                            (request.groups.empty() ? 0 : 1);
  if (given == 0) throw ApiError("InvalidParameterCombination", "No attributes specified.");
  if (given > 1)
    throw ApiError("InvalidParameterCombination",
                   "Fields for multiple attribute types specified: you can modify one attribute at "
                   "a time.");
  if (request.attribute)
    modify_named(call, instance, request);
  else if (!changes.empty())
    change(call, instance, changes[0].first, changes[0].second);
  else if (!request.groups.empty())
    modify_groups(call, instance, request.groups);
  else
    modify_devices(call, instance, request.block_device_mappings);
  return {};
}

}  // namespace fakes::ec2
