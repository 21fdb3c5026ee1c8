#include "sim/market/attributes.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace sim::market {
namespace {

constexpr std::string_view kPreviousFamilies[] = {
    "c1", "c3", "cc1", "cc2", "cg1", "cr1", "g2", "hi1", "hs1", "i2", "m1", "m2", "m3", "r3", "t1"};

// Families with processors of AMD, beside those with an "a" after the generation, such as m5a (EC2
// User Guide, "Instance type naming conventions"). Source: DescribeInstanceTypes.
constexpr std::string_view kFamiliesWithAmd[] = {"g5",   "g6",   "g6e", "g6f", "gr6",
                                                 "gr6f", "inf2", "p5",  "p5e"};

// Memory of each GPU in EC2's answers. Source: karpenter's page of instance types, which is
// generated from them, at 0c5e7d81 (github.com/aws/karpenter-provider-aws,
// website/content/en/docs/reference/instance-types.md, read 2026-11-26). It lacks K520, K80, M2050,
// M60 and V520, whose values are the manufacturers'.
constexpr std::pair<std::string_view, int> kGpuMib[] = {
    {"NVIDIA A100", 40960}, {"NVIDIA A10G", 22888},  {"NVIDIA B200", 183359},
    {"NVIDIA H100", 81920}, {"NVIDIA H200", 144384}, {"NVIDIA K520", 4096},
    {"NVIDIA K80", 12288},  {"NVIDIA L4", 22888},    {"NVIDIA L40S", 45776},
    {"NVIDIA M2050", 3072}, {"NVIDIA M60", 8192},    {"NVIDIA T4", 16384},
    {"NVIDIA T4G", 16384},  {"NVIDIA V100", 16384},  {"AMD Radeon Pro V520", 8192}};

}  // namespace

std::string_view family_of(const InstanceType& type) {
  return std::string_view(type.name).substr(0, type.name.find('.'));
}

bool is_bare_metal(const InstanceType& type) { return type.name.find(".metal") != type.name.npos; }

// t1 has no credits.
bool is_burstable(const InstanceType& type) {
  return type.name.starts_with('t') && !type.name.starts_with("t1.") && type.gpus == 0;
}

bool may_be_in_cluster(const InstanceType& type) {
  return !is_burstable(type) && !type.name.starts_with("t1.");
}

std::string_view cpu_maker(const InstanceType& type) {
  if (type.architecture != "x86_64") return "AWS";
  const std::string_view family = family_of(type);
  const std::size_t generation = std::min(family.find_first_of("0123456789"), family.size());
  const bool amd = family.find('a', generation) != family.npos ||
                   std::ranges::find(kFamiliesWithAmd, family) != std::end(kFamiliesWithAmd);
  return amd ? "AMD" : "Intel";
}

bool is_previous_generation(const InstanceType& type) {
  return std::ranges::find(kPreviousFamilies, family_of(type)) != std::end(kPreviousFamilies);
}

Accelerator accelerator_of(const InstanceType& type) {
  const std::size_t space = type.gpu.find(' ');
  if (space == type.gpu.npos) return {.maker = type.gpu, .model = {}};
  return {.maker = type.gpu.substr(0, space), .model = type.gpu.substr(space + 1)};
}

bool has_gpus(const InstanceType& type) {
  const std::string maker = accelerator_of(type).maker;
  return type.gpus > 0 && maker != "AWS" && maker != "Qualcomm";
}

std::int64_t gpu_mib(const InstanceType& type) {
  if (type.name == "p3dn.24xlarge") return 32768;
  if (type.name.starts_with("p4de.")) return 81920;
  const auto* const found =
      std::ranges::find(kGpuMib, type.gpu, [](const auto& row) { return row.first; });
  return found == std::end(kGpuMib) ? 0 : found->second;
}

}  // namespace sim::market
