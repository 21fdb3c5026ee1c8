#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/ebs_bandwidth.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/interface_limits.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "sim/market/attributes.h"
#include "sim/market/hibernation.h"
#include "sim/market/nitro.h"

namespace fakes::ec2 {
namespace {

using sim::market::InstanceType;
using sim::market::is_bare_metal;
using sim::market::is_burstable;
using sim::market::is_on_nitro;
using sim::market::is_previous_generation;
using Values = std::vector<std::string>;

EbsBandwidth ebs_of(const InstanceType& type) {
  const auto& known = ebs_bandwidths();
  const auto found = known.find(type.name);
  if (found != known.end()) return found->second;
  return {.support = is_on_nitro(type.name) ? "default" : "supported"};
}

double throughput(const EbsFigures& figures) { return static_cast<double>(figures.mbps) / 8; }

using EbsSide = std::optional<EbsFigures> EbsBandwidth::*;

template <EbsSide kSide, std::int64_t EbsFigures::*kFigure>
Values ebs_figure(const InstanceType& type, Backend&) {
  const auto figures = ebs_of(type).*kSide;
  return figures ? Values{std::to_string((*figures).*kFigure)} : Values{};
}

template <EbsSide kSide>
Values ebs_throughput(const InstanceType& type, Backend&) {
  const auto figures = ebs_of(type).*kSide;
  return figures ? Values{fmt::format("{}", throughput(*figures))} : Values{};
}

aws::EbsInfo shown_ebs(const InstanceType& type) {
  const EbsBandwidth ebs = ebs_of(type);
  aws::EbsInfo out{.ebs_optimized_support = ebs.support,
                   .encryption_support = "supported",
                   .nvme_support = is_on_nitro(type.name) ? "required" : "unsupported"};
  if (ebs.baseline && ebs.maximum)
    out.ebs_optimized_info =
        aws::EbsOptimizedInfo{.baseline_bandwidth_in_mbps = ebs.baseline->mbps,
                              .baseline_iops = ebs.baseline->iops,
                              .baseline_throughput_in_m_bps = throughput(*ebs.baseline),
                              .maximum_bandwidth_in_mbps = ebs.maximum->mbps,
                              .maximum_iops = ebs.maximum->iops,
                              .maximum_throughput_in_m_bps = throughput(*ebs.maximum)};
  return out;
}

// Network bandwidth, only for types that are used for training. Values of 20 gigabits and more, and
// those of p3, agree with karpenter's page (above). All "Up to" values, p2 and trn1 are unchecked.
constexpr std::pair<std::string_view, std::string_view> kNetwork[] = {
    {"g4dn.12xlarge", "50 Gigabit"},
    {"g4dn.16xlarge", "50 Gigabit"},
    {"g4dn.2xlarge", "Up to 25 Gigabit"},
    {"g4dn.4xlarge", "Up to 25 Gigabit"},
    {"g4dn.8xlarge", "50 Gigabit"},
    {"g4dn.metal", "100 Gigabit"},
    {"g4dn.xlarge", "Up to 25 Gigabit"},
    {"g5.12xlarge", "40 Gigabit"},
    {"g5.16xlarge", "25 Gigabit"},
    {"g5.24xlarge", "50 Gigabit"},
    {"g5.2xlarge", "Up to 10 Gigabit"},
    {"g5.48xlarge", "100 Gigabit"},
    {"g5.4xlarge", "Up to 25 Gigabit"},
    {"g5.8xlarge", "25 Gigabit"},
    {"g5.xlarge", "Up to 10 Gigabit"},
    {"g6.12xlarge", "40 Gigabit"},
    {"g6.16xlarge", "25 Gigabit"},
    {"g6.24xlarge", "50 Gigabit"},
    {"g6.48xlarge", "100 Gigabit"},
    {"g6.8xlarge", "25 Gigabit"},
    {"g6e.12xlarge", "100 Gigabit"},
    {"g6e.16xlarge", "35 Gigabit"},
    {"g6e.24xlarge", "200 Gigabit"},
    {"g6e.48xlarge", "400 Gigabit"},
    {"g6e.4xlarge", "20 Gigabit"},
    {"g6e.8xlarge", "25 Gigabit"},
    {"p2.16xlarge", "25 Gigabit"},
    {"p2.8xlarge", "10 Gigabit"},
    {"p2.xlarge", "High"},
    {"p3.16xlarge", "25 Gigabit"},
    {"p3.2xlarge", "Up to 10 Gigabit"},
    {"p3.8xlarge", "10 Gigabit"},
    {"p3dn.24xlarge", "100 Gigabit"},
    {"p4d.24xlarge", "4x 100 Gigabit"},
    {"p4de.24xlarge", "4x 100 Gigabit"},
    {"p5.48xlarge", "3200 Gigabit"},
    {"p5en.48xlarge", "3200 Gigabit"},
    {"trn1.2xlarge", "Up to 12.5 Gigabit"},
    {"trn1.32xlarge", "8x 100 Gigabit"}};

std::string network_performance(const InstanceType& type) {
  const auto* const found =
      std::ranges::find(kNetwork, type.name, [](const auto& row) { return row.first; });
  return found == std::end(kNetwork) ? "" : std::string(found->second);
}

std::string text_of(bool flag) { return flag ? "true" : "false"; }

constexpr FilterRow<InstanceType> kInstanceTypeFilters[] = {
    {"bare-metal",
     [](const InstanceType& t, Backend&) { return Values{text_of(is_bare_metal(t))}; }},
    {"burstable-performance-supported",
     [](const InstanceType& t, Backend&) { return Values{text_of(is_burstable(t))}; }},
    {"current-generation",
     [](const InstanceType& t, Backend&) { return Values{text_of(!is_previous_generation(t))}; }},
    {"ebs-info.encryption-support",
     [](const InstanceType&, Backend&) { return Values{"supported"}; }},
    {"ebs-info.nvme-support",
     [](const InstanceType& t, Backend&) {
       return Values{is_on_nitro(t.name) ? "required" : "unsupported"};
     }},
    {"hypervisor",
     [](const InstanceType& t, Backend&) { return Values{is_on_nitro(t.name) ? "nitro" : "xen"}; }},
    {"network-info.ena-support",
     [](const InstanceType& t, Backend&) {
       return Values{is_on_nitro(t.name) ? "required" : "supported"};
     }},
    {"network-info.network-performance",
     [](const InstanceType& t, Backend&) {
       const std::string text = network_performance(t);
       return text.empty() ? Values{} : Values{text};
     }},
    {"supported-root-device-type", [](const InstanceType&, Backend&) { return Values{"ebs"}; }},
    {"supported-virtualization-type", [](const InstanceType&, Backend&) { return Values{"hvm"}; }},
    {"ebs-info.ebs-optimized-support",
     [](const InstanceType& t, Backend&) { return Values{ebs_of(t).support}; }},
    {"network-info.ipv6-supported", [](const InstanceType&, Backend&) { return Values{"true"}; }},
    // Properties that are unknown here.
    {"auto-recovery-supported", no_value<InstanceType>},
    {"ebs-info.ebs-optimized-info.baseline-bandwidth-in-mbps",
     ebs_figure<&EbsBandwidth::baseline, &EbsFigures::mbps>},
    {"ebs-info.ebs-optimized-info.baseline-iops",
     ebs_figure<&EbsBandwidth::baseline, &EbsFigures::iops>},
    {"ebs-info.ebs-optimized-info.baseline-throughput-in-mbps",
     ebs_throughput<&EbsBandwidth::baseline>},
    {"ebs-info.ebs-optimized-info.maximum-bandwidth-in-mbps",
     ebs_figure<&EbsBandwidth::maximum, &EbsFigures::mbps>},
    {"ebs-info.ebs-optimized-info.maximum-iops",
     ebs_figure<&EbsBandwidth::maximum, &EbsFigures::iops>},
    {"ebs-info.ebs-optimized-info.maximum-throughput-in-mbps",
     ebs_throughput<&EbsBandwidth::maximum>},
    {"hibernation-supported",
     [](const InstanceType& t, Backend&) {
       return Values{text_of(sim::market::hibernation_obstacle(t).empty())};
     }},
    {"instance-storage-info.disk.count", no_value<InstanceType>},
    {"instance-storage-info.disk.size-in-gb", no_value<InstanceType>},
    {"instance-storage-info.disk.type", no_value<InstanceType>},
    {"instance-storage-info.encryption-support", no_value<InstanceType>},
    {"instance-storage-info.nvme-support", no_value<InstanceType>},
    {"network-info.efa-info.maximum-efa-interfaces", no_value<InstanceType>},
    {"network-info.encryption-in-transit-supported", no_value<InstanceType>},
    {"network-info.ipv4-addresses-per-interface",
     [](const InstanceType& t, Backend&) {
       return Values{std::to_string(interface_limits(t.name).ipv4_per_interface)};
     }},
    {"network-info.ipv6-addresses-per-interface", no_value<InstanceType>},
    {"network-info.maximum-network-cards", no_value<InstanceType>},
    {"processor-info.sustained-clock-speed-in-ghz", no_value<InstanceType>},
    {"supported-boot-mode", no_value<InstanceType>},
    {"vcpu-info.valid-cores", no_value<InstanceType>},
    {"vcpu-info.valid-threads-per-core", no_value<InstanceType>},
    {"free-tier-eligible", no_value<InstanceType>},
    {"dedicated-hosts-supported", no_value<InstanceType>},
    {"ebs-info.attachment-limit-type", no_value<InstanceType>},
    {"ebs-info.maximum-ebs-attachments", no_value<InstanceType>},
    {"network-info.bandwidth-weightings", no_value<InstanceType>},
    {"network-info.flexible-ena-queues-support", no_value<InstanceType>},
    {"nitro-enclaves-support", no_value<InstanceType>},
    {"nitro-tpm-info.supported-versions", no_value<InstanceType>},
    {"nitro-tpm-support", no_value<InstanceType>},
    {"processor-info.supported-features", no_value<InstanceType>},
    {"reboot-migration-support", no_value<InstanceType>},
    {"instance-storage-info.total-size-in-gb", no_value<InstanceType>},
    {"instance-storage-supported", no_value<InstanceType>},
    {"network-info.efa-supported", no_value<InstanceType>},
    {"network-info.maximum-network-interfaces",
     [](const InstanceType& t, Backend&) {
       return Values{std::to_string(interface_limits(t.name).interfaces)};
     }},
    {"vcpu-info.default-cores", no_value<InstanceType>},
    {"vcpu-info.default-threads-per-core", no_value<InstanceType>},
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

// Adds GPUs, and accelerators for inference or training. A GPU that several instances share counts
// as one.
void add_accelerators(aws::InstanceTypeInfo& out, const InstanceType& type) {
  const auto [maker, model] = sim::market::accelerator_of(type);
  const auto count = static_cast<std::int64_t>(std::ceil(type.gpus));
  if (!sim::market::has_gpus(type)) {
    out.inference_accelerator_info = aws::InferenceAcceleratorInfo{
        .accelerators = {{.count = count, .manufacturer = maker, .name = model}}};
  } else {
    aws::GpuDeviceInfo gpu{.count = count, .manufacturer = maker, .name = model};
    aws::GpuInfo& info = out.gpu_info.emplace();
    if (const std::int64_t mib = sim::market::gpu_mib(type); mib > 0) {
      const double share = std::min(type.gpus, 1.0);  // share of a GPU that several instances use
      gpu.memory_info = aws::GpuDeviceMemoryInfo{
          .size_in_mib = static_cast<std::int64_t>(share * static_cast<double>(mib))};
      info.total_gpu_memory_in_mib =
          static_cast<std::int64_t>(type.gpus * static_cast<double>(mib));
    }
    info.gpus = {gpu};
  }
}

aws::InstanceTypeInfo shown(const InstanceType& type) {
  const bool nitro = is_on_nitro(type.name);
  const InterfaceLimits limits = interface_limits(type.name);
  aws::InstanceTypeInfo out{
      .bare_metal = is_bare_metal(type),
      .burstable_performance_supported = is_burstable(type),
      .current_generation = !is_previous_generation(type),
      .ebs_info = shown_ebs(type),
      .hypervisor = nitro ? "nitro" : "xen",
      .instance_type = type.name,
      .memory_info = aws::MemoryInfo{.size_in_mib = type.memory_mib},
      .network_info = aws::NetworkInfo{.ena_support = nitro ? "required" : "supported",
                                       .ipv4_addresses_per_interface = limits.ipv4_per_interface,
                                       .ipv6_supported = true,
                                       .maximum_network_interfaces = limits.interfaces},
      .processor_info = aws::ProcessorInfo{.manufacturer = std::string(cpu_maker(type)),
                                           .supported_architectures = {type.architecture}},
      .supported_root_device_types = {"ebs"},
      .supported_usage_classes = {"on-demand", "spot"},
      .supported_virtualization_types = {"hvm"},
      .vcpu_info = aws::VCpuInfo{.default_vcpus = type.vcpus}};
  if (const std::string network = network_performance(type); !network.empty())
    out.network_info->network_performance = network;
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
