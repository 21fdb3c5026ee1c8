#include "sim/market/instance_types.h"

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"

namespace fakes::ec2 {
namespace {

using sim::market::InstanceType;
using Values = std::vector<std::string>;

constexpr FilterRow<InstanceType> kInstanceTypeFilters[] = {
    {"instance-type", [](const InstanceType& t, World&) { return Values{std::string(t.name)}; }},
    {"memory-info.size-in-mib",
     [](const InstanceType& t, World&) { return Values{std::to_string(t.memory_mib)}; }},
    {"processor-info.supported-architecture",
     [](const InstanceType&, World&) { return Values{"x86_64"}; }},
    {"supported-usage-class",
     [](const InstanceType&, World&) {
       return Values{"on-demand", "spot"};
     }},
    {"vcpu-info.default-vcpus",
     [](const InstanceType& t, World&) { return Values{std::to_string(t.vcpus)}; }},
};

void render(Node out, const InstanceType& type) {
  add_text(out, "instanceType", std::string(type.name));
  add_flag(out, "currentGeneration", true);
  Node classes = out.append_child("supportedUsageClasses");
  add_text(classes, "item", "on-demand");
  add_text(classes, "item", "spot");
  add_text(out.append_child("processorInfo").append_child("supportedArchitectures"), "item",
           "x86_64");
  add_integer(out.append_child("vCpuInfo"), "defaultVCpus", type.vcpus);
  add_integer(out.append_child("memoryInfo"), "sizeInMiB", type.memory_mib);
  if (type.gpus == 0) return;
  Node gpu = out.append_child("gpuInfo").append_child("gpus").append_child("item");
  add_text(gpu, "name", std::string(type.gpu));
  add_text(gpu, "manufacturer", "NVIDIA");
  add_integer(gpu, "count", type.gpus);
}

}  // namespace

void describe_instance_types(Call& call) {
  const auto names = call.in.list("InstanceType");
  const Filters<InstanceType> filters(call.in, kInstanceTypeFilters);
  const Page page(call.in, 5, 100, 100);
  page.refuse_with(names, "instanceTypes");
  call.start();

  for (const auto& name : names) {
    if (sim::market::find_instance_type(name) != nullptr) continue;
    throw sim::cloud::ApiError(
        "InvalidInstanceType",
        "The following supplied instance types do not exist: [" + name + "]");
  }
  std::vector<const InstanceType*> types;
  for (const auto& type : sim::market::instance_types()) {
    const bool asked =
        names.empty() || std::find(names.begin(), names.end(), type.name) != names.end();
    if (asked && filters.match(type, call.world)) types.push_back(&type);
  }
  page.cut(types, call.out);
  Node set = call.out.append_child("instanceTypeSet");
  for (const auto* type : types) render(set.append_child("item"), *type);
}

}  // namespace fakes::ec2
