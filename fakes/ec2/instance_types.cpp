#include <algorithm>
#include <cmath>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

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

// GPUs, and what is for inference or training alone. One that several instances share counts as
// one.
void add_accelerators(aws::InstanceTypeInfo& out, const InstanceType& type) {
  const std::size_t space = type.gpu.find(' ');
  const std::string maker = type.gpu.substr(0, space), model = type.gpu.substr(space + 1);
  const auto count = static_cast<std::int64_t>(std::ceil(type.gpus));
  if (maker == "AWS" || maker == "Qualcomm") {
    out.inference_accelerator_info = aws::InferenceAcceleratorInfo{
        .accelerators = {{.count = count, .manufacturer = maker, .name = model}}};
  } else {
    out.gpu_info = aws::GpuInfo{.gpus = {{.count = count, .manufacturer = maker, .name = model}}};
  }
}

aws::InstanceTypeInfo shown(const InstanceType& type) {
  aws::InstanceTypeInfo out{
      .current_generation = true,
      .instance_type = type.name,
      .memory_info = aws::MemoryInfo{.size_in_mib = type.memory_mib},
      .processor_info = aws::ProcessorInfo{.supported_architectures = {type.architecture}},
      .supported_usage_classes = {"on-demand", "spot"},
      .vcpu_info = aws::VCpuInfo{.default_vcpus = type.vcpus}};
  if (type.gpus > 0) add_accelerators(out, type);
  return out;
}

}  // namespace

aws::DescribeInstanceTypesResult describe_instance_types(
    Call& call, const aws::DescribeInstanceTypesRequest& request) {
  const auto& names = request.instance_types;
  const Filters<InstanceType> filters(request.filters, kInstanceTypeFilters);
  const Page page(request, {.of = "types", .low = 5, .high = 100, .most = 100});
  page.refuse_with(names, "instanceTypes");

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
  aws::DescribeInstanceTypesResult response{.next_token = page.cut(types)};
  response.instance_types.give();
  for (const auto* type : types) response.instance_types.push_back(shown(*type));
  return response;
}

}  // namespace fakes::ec2
