// What `aws ec2 describe-spot-price-history` prints:
// {"SpotPriceHistory": [{"AvailabilityZone", "InstanceType", "ProductDescription", "SpotPrice",
// "Timestamp"}, …]}, newest first.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/market/price_formats.h"
#include "sim/market/trace_fields.h"

namespace sim::market {
namespace {

using nlohmann::json;

constexpr std::string_view kArray = "SpotPriceHistory";
// EC2-Classic and VPC had prices of their own. Where a history has both, VPC's count: an instance
// of today runs in one. Prices of Windows, SUSE and Red Hat are left out.
constexpr std::string_view kLinux = "Linux/UNIX", kLinuxVpc = "Linux/UNIX (Amazon VPC)";

json parse(const TraceFile& file) {
  if (file.text.size() > kLargestJson)
    fail_file(file, std::to_string(file.text.size() >> 20) + " MiB", kExpectedJsonSize);
  constexpr std::string_view kExpected = "JSON as aws ec2 describe-spot-price-history prints it";
  try {
    return json::parse(file.text);
  } catch (const json::parse_error& error) {
    const std::size_t at = std::min(error.byte, file.text.size());
    const auto begin = file.text.begin(), end = begin + static_cast<std::ptrdiff_t>(at);
    const auto line = static_cast<std::size_t>(std::count(begin, end, '\n')) + 1;
    const std::size_t from = at > 20 ? at - 20 : 0;
    fail_at_line(file, line, "JSON", std::string_view(file.text).substr(from, at - from),
                 kExpected);
  } catch (const json::exception& error) {  // a number beyond any double
    fail_file(file, error.what(), kExpected);
  }
}

// One entry of the array, with its place for messages.
struct Entry {
  const TraceFile& file;
  const json& object;
  std::size_t index;

  [[noreturn]] void fail(std::string_view field, std::string_view found,
                         std::string_view expected) const {
    fail_at_entry(file, kArray, index, field, found, expected);
  }
  const std::string& text(const char* field, std::string_view expected) const {
    const auto found = object.find(field);
    if (found == object.end()) fail(field, "nothing", expected);
    if (!found->is_string()) fail(field, found->type_name(), expected);
    return found->get_ref<const std::string&>();
  }
};

Pool pool_of(const Entry& entry) {
  const std::string& zone = entry.text("AvailabilityZone", kExpectedZone);
  if (!is_zone(zone)) entry.fail("AvailabilityZone", zone, kExpectedZone);
  const std::string& type = entry.text("InstanceType", kExpectedType);
  if (!is_instance_type(type)) entry.fail("InstanceType", type, kExpectedType);
  return {type, zone};
}

PricePoint point_of(const Entry& entry) {
  const std::string& price_text = entry.text("SpotPrice", kExpectedPrice);
  const auto price = parse_price(price_text);
  if (!price) entry.fail("SpotPrice", price_text, kExpectedPrice);
  const std::string& time_text = entry.text("Timestamp", kExpectedTime);
  const auto at = parse_time(time_text);
  if (!at) entry.fail("Timestamp", time_text, kExpectedTime);
  return {*at, *price};
}

PriceHistory read(const TraceFile& file, std::size_t) {
  const json document = parse(file);
  const auto array = document.find(kArray);
  if (array == document.end() || !array->is_array())
    fail_file(file, "no array \"SpotPriceHistory\"", R"({"SpotPriceHistory": [{…}, …]})");
  PriceHistory history;
  std::map<Pool, std::vector<PricePoint>> vpc;
  std::set<std::string> left_out;
  // From the oldest to the newest, so that the newer of two at one instant counts.
  for (std::size_t i = array->size(); i-- > 0;) {
    const Entry entry{file, (*array)[i], i};
    if (!entry.object.is_object()) entry.fail("entry", entry.object.type_name(), "an object");
    const std::string& product = entry.text("ProductDescription", "\"Linux/UNIX\" or another");
    const Pool pool = pool_of(entry);
    const PricePoint point = point_of(entry);
    if (product == kLinux)
      history.pools[pool].push_back(point);
    else if (product == kLinuxVpc)
      vpc[pool].push_back(point);
    else
      left_out.insert(product);
  }
  for (auto& [pool, points] : vpc) history.pools[pool] = std::move(points);
  if (history.pools.empty() && !left_out.empty())
    fail_file(file, "only prices of " + *left_out.begin(), "prices of Linux/UNIX");
  return history;
}

bool recognises(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

}  // namespace

const PriceFormat kAwsJson{"aws-json", R"({"SpotPriceHistory": [{"AvailabilityZone": …}, …]})",
                           recognises, read};

}  // namespace sim::market
