#include "sim/traces/built_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/traces/trace.h"

namespace sim::traces {
namespace {

namespace fs = std::filesystem;

constexpr BuiltInTrace kBuiltIn[]{
    {"skynomad-v100", "skynomad/v100", "V100 (p3.2xlarge), nine zones of three US regions",
     "2023-02-15 to 2023-04-02", "capacity, prices", "recorded on AWS: SkyNomad"},
    {"skynomad-h100", "skynomad/h100", "sixteen H100 at once, thirteen zones of Google Cloud",
     "2025-10-04 to 2025-10-18", "capacity, prices", "recorded on Google Cloud: SkyNomad"},
    {"cant-be-late", "cant-be-late/windows_8x300x554.txt.gz",
     "V100 and K80, one and eight GPUs, two zones of us-west-2", "windows of autumn 2022",
     "capacity", "recorded on AWS: Can't Be Late", false},
    {"bamboo-p3", "bamboo/p3-trace.csv.gz", "a fleet of p3 instances", "half a day, no date",
     "capacity", "recorded on AWS: Bamboo"},
    {"bamboo-g4dn", "bamboo/g4dn-trace.csv.gz", "a fleet of g4dn instances", "half a day, no date",
     "capacity", "recorded on AWS: Bamboo"},
    {"us-west-2-gpu", "us-west-2-gpu.json", "p3.2xlarge, p2.xlarge, m4.xlarge in us-west-2a to d",
     "2019-11-01 to 2019-11-10", "prices", "synthetic, prices as since 2017"},
    {"bid-era", "bid-era.json.gz", "g2.2xlarge in us-east-1a, b and e", "2015-06-01 to 2015-06-29",
     "prices", "synthetic, prices as before 2017"},
    {"capacity", "capacity", "p2 and p3 of two sizes in us-west-2a and b",
     "2022-10-01 to 2022-10-29", "capacity", "synthetic"}};

}  // namespace

std::span<const BuiltInTrace> built_in_traces() { return kBuiltIn; }

fs::path built_in_folder() {
  std::error_code error;
  const fs::path programs = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path places[]{programs.parent_path() / "share/spotsim/scenarios/traces",
                          programs.parent_path().parent_path() / "scenarios/traces"};
  for (const fs::path& place : places)
    if (fs::is_directory(place, error)) return place;
  throw TraceError(
      fmt::format("the traces that come with spotsim are not installed: found neither "
                  "{} nor {}",
                  places[0].string(), places[1].string()));
}

fs::path trace_named(const std::string& text, const fs::path& folder) {
  std::error_code error;
  const fs::path own = folder / text;
  const auto* const found = std::ranges::find(kBuiltIn, text, &BuiltInTrace::name);
  if (found == std::end(kBuiltIn) || fs::exists(own, error)) return own;
  return built_in_folder() / found->path;
}

std::string price_history_command(std::string_view instance_type) {
  return fmt::format(
      "aws ec2 describe-spot-price-history --instance-types {} "
      "--product-descriptions Linux/UNIX --start-time $(date -u -d -90days +%FT%TZ) "
      "--output json > prices.json",
      instance_type);
}

}  // namespace sim::traces
