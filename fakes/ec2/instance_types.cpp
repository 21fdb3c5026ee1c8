#include "sim/market/instance_types.h"

#include <algorithm>
#include <cmath>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"

namespace fakes::ec2 {
namespace {

using sim::market::InstanceType;
using Values = std::vector<std::string>;

constexpr FilterRow<InstanceType> kInstanceTypeFilters[] = {
    {"instance-type", [](const InstanceType& t, Backend&) { return Values{t.name}; }},
    {"memory-info.size-in-mib",
     [](const InstanceType& t, Backend&) { return Values{std::to_string(t.memory_mib)}; }},
    {"processor-info.supported-architecture",
     [](const InstanceType& t, Backend&) { return Values{t.architecture}; }},
    {"supported-usage-class",
     [](const InstanceType&, Backend&) {
       return Values{"on-demand", "spot"};
     }},
    {"vcpu-info.default-vcpus",
     [](const InstanceType& t, Backend&) { return Values{std::to_string(t.vcpus)}; }},
};

// Where DescribeInstanceTypes has the accelerators of a maker; of all others: gpuInfo.
struct AcceleratorElements {
  std::string_view maker;
  const char *info, *list;
};
constexpr AcceleratorElements kGpus{"", "gpuInfo", "gpus"};
constexpr AcceleratorElements kOtherAccelerators[] = {
    {"AWS", "neuronInfo", "neuronDevices"},
    {"Qualcomm", "inferenceAcceleratorInfo", "accelerators"},
};

// One that several instances share counts as one.
void render_accelerators(Node out, const InstanceType& type) {
  const std::size_t space = type.gpu.find(' ');
  const std::string maker = type.gpu.substr(0, space);
  const auto* other = std::ranges::find(kOtherAccelerators, maker, &AcceleratorElements::maker);
  const auto& elements = other == std::end(kOtherAccelerators) ? kGpus : *other;
  Node item = out.append_child(elements.info).append_child(elements.list).append_child("item");
  add_text(item, "name", type.gpu.substr(space + 1));
  if (maker != "AWS") add_text(item, "manufacturer", maker);
  add_integer(item, "count", static_cast<int>(std::ceil(type.gpus)));
}

void render(Node out, const InstanceType& type) {
  add_text(out, "instanceType", type.name);
  add_flag(out, "currentGeneration", true);
  Node classes = out.append_child("supportedUsageClasses");
  add_text(classes, "item", "on-demand");
  add_text(classes, "item", "spot");
  add_text(out.append_child("processorInfo").append_child("supportedArchitectures"), "item",
           type.architecture);
  add_integer(out.append_child("vCpuInfo"), "defaultVCpus", type.vcpus);
  add_integer(out.append_child("memoryInfo"), "sizeInMiB", type.memory_mib);
  if (type.gpus > 0) render_accelerators(out, type);
}

}  // namespace

void describe_instance_types(Call& call) {
  const auto names = call.in.list("InstanceType");
  const Filters<InstanceType> filters(call.in, kInstanceTypeFilters);
  const Page page(call.in, 5, 100, 100);
  page.refuse_with(names, "instanceTypes");
  call.start();

  const auto& known = call.cloud.market().types();
  for (const auto& name : names) {
    if (known.contains(name)) continue;
    throw sim::cloud::ApiError(
        "InvalidInstanceType",
        "The following supplied instance types do not exist: [" + name + "]");
  }
  std::vector<const InstanceType*> types;
  for (const auto& [name, type] : known) {
    const bool asked = names.empty() || std::ranges::find(names, name) != names.end();
    if (asked && filters.match(type, call.backend)) types.push_back(&type);
  }
  page.cut(types, call.out);
  Node set = call.out.append_child("instanceTypeSet");
  for (const auto* type : types) render(set.append_child("item"), *type);
}

}  // namespace fakes::ec2
