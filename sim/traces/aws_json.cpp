// What `aws ec2 describe-spot-price-history` prints:
// {"SpotPriceHistory": [{"AvailabilityZone", "InstanceType", "ProductDescription", "SpotPrice",
// "Timestamp"}, …]}, newest first.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "sim/traces/price_formats.h"
#include "sim/traces/trace_fields.h"

namespace sim::market {
namespace {

using nlohmann::json;

constexpr std::string_view kArray = "SpotPriceHistory";
// EC2-Classic and VPC had prices of their own. Where a history has both, VPC's count: an instance
// of today runs in one. Prices of Windows, SUSE and Red Hat are left out.
constexpr std::string_view kLinux = "Linux/UNIX", kLinuxVpc = "Linux/UNIX (Amazon VPC)";

// What stands at a place of the document.
struct Value {
  std::string_view kind = "nothing";  // "string", "number", …
  std::string text;                   // of a string
};

struct Entry {
  std::string_view kind;
  Value zone, type, product, price, time;
};

// What is wrong in an entry.
struct Wrong {
  std::size_t index;
  std::string_view field;
  std::string found;
  std::string_view expected;
};

// Takes the points out of a document while it is parsed: the document as a whole would take ten
// times its text. Its public functions are those that nlohmann's parser calls.
class Reader {
 public:
  bool null() { return begin("null"); }
  bool boolean(bool) { return begin("boolean"); }
  bool number_integer(json::number_integer_t) { return begin("number"); }
  bool number_unsigned(json::number_unsigned_t) { return begin("number"); }
  bool number_float(json::number_float_t, const std::string&) { return begin("number"); }
  bool binary(json::binary_t&) { return begin("binary"); }
  bool string(std::string& text) {
    if (field_) field_->text = text;
    return begin("string");
  }
  bool start_object(std::size_t) { return begin("object"); }
  bool start_array(std::size_t) { return begin("array"); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool key(std::string& name) {
    if (depth_ == kDocument) {
      in_array_ = name == kArray;
      if (in_array_) found_ = {};  // of two arrays the last counts
    }
    if (depth_ == kEntry && found_.array && in_array_) field_ = field_of(name);
    return true;
  }
  template <typename Error>
  bool parse_error(std::size_t, const std::string&, const Error& error) {
    throw error;
  }

  // The points, after the document.
  PriceHistory history(const TraceFile& file) {
    if (!found_.array)
      fail_file(file, "no array \"SpotPriceHistory\"", R"({"SpotPriceHistory": [{…}, …]})");
    if (const auto& wrong = found_.wrong)
      fail_at_entry(file, kArray, wrong->index, wrong->field, wrong->found, wrong->expected);
    PriceHistory history{std::move(found_.linux_pools)};
    for (auto& [pool, points] : found_.vpc) history.pools[pool] = std::move(points);
    if (history.pools.empty() && !found_.left_out.empty())
      fail_file(file, "only prices of " + *found_.left_out.begin(), "prices of Linux/UNIX");
    // From the oldest to the newest, so that the newer of two at one instant counts.
    for (auto& [pool, points] : history.pools) std::reverse(points.begin(), points.end());
    return history;
  }

 private:
  using Pools = std::map<Pool, std::vector<PricePoint>>;
  // How many objects and arrays are open in the document, in the array and in an entry.
  static constexpr int kDocument = 1, kList = 2, kEntry = 3;

  struct Found {
    bool array = false;
    std::size_t entries = 0;
    Pools linux_pools, vpc;
    std::set<std::string> left_out;
    std::optional<Wrong> wrong;  // of several, in the last entry
  };

  // A value begins.
  bool begin(std::string_view kind) {
    const bool opens = kind == "object" || kind == "array";
    if (in_array_ && depth_ == kDocument) found_.array = kind == "array";
    if (in_array_ && depth_ == kList && found_.array) entry_ = {.kind = kind};
    if (field_) field_->kind = kind;
    field_ = nullptr;
    if (opens)
      ++depth_;
    else if (in_array_ && depth_ == kList && found_.array)
      take_entry();
    return true;
  }
  bool end() {
    --depth_;
    if (in_array_ && depth_ == kList && found_.array) take_entry();
    return true;
  }

  Value* field_of(std::string_view name) {
    if (name == "AvailabilityZone") return &entry_.zone;
    if (name == "InstanceType") return &entry_.type;
    if (name == "ProductDescription") return &entry_.product;
    if (name == "SpotPrice") return &entry_.price;
    if (name == "Timestamp") return &entry_.time;
    return nullptr;
  }

  void wrong(std::string_view field, const Value& value, std::string_view expected) {
    const bool text = value.kind == "string";
    found_.wrong = {found_.entries, field, text ? value.text : std::string(value.kind), expected};
  }

  void take_entry() {
    add_point();
    ++found_.entries;
  }

  void add_point() {
    const auto is_text = [](const Value& value) { return value.kind == "string"; };
    const Entry& e = entry_;
    if (e.kind != "object")
      return wrong("entry", {.kind = e.kind, .text = std::string(e.kind)}, "an object");
    if (!is_text(e.product))
      return wrong("ProductDescription", e.product, "\"Linux/UNIX\" or another");
    if (!is_text(e.zone) || !is_zone(e.zone.text))
      return wrong("AvailabilityZone", e.zone, kExpectedZone);
    if (!is_text(e.type) || !is_instance_type(e.type.text))
      return wrong("InstanceType", e.type, kExpectedType);
    const auto price = is_text(e.price) ? parse_price(e.price.text) : std::nullopt;
    if (!price) return wrong("SpotPrice", e.price, kExpectedPrice);
    const auto at = is_text(e.time) ? parse_time(e.time.text) : std::nullopt;
    if (!at) return wrong("Timestamp", e.time, kExpectedTime);
    const bool vpc = e.product.text == kLinuxVpc;
    if (vpc || e.product.text == kLinux)
      (vpc ? found_.vpc : found_.linux_pools)[{e.type.text, e.zone.text}].push_back({*at, *price});
    else
      found_.left_out.insert(e.product.text);
  }

  int depth_ = 0;          // how many objects and arrays are open
  bool in_array_ = false;  // below the document's key "SpotPriceHistory"
  Entry entry_;
  Value* field_ = nullptr;  // of the entry, that the next value is
  Found found_;
};

PriceHistory read_aws_json(const TraceFile& file, std::size_t) {
  constexpr std::string_view kExpected = "JSON as aws ec2 describe-spot-price-history prints it";
  Reader reader;
  try {
    json::sax_parse(file.text, &reader);
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
  return reader.history(file);
}

// The array may come after other keys, such as NextToken.
bool recognises(std::string_view text) {
  constexpr std::size_t kNear = 1 << 16;
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{' &&
         text.substr(start, kNear).find(kArray) != std::string_view::npos;
}

}  // namespace

const PriceFormat kAwsJson{"aws-json", R"({"SpotPriceHistory": [{"AvailabilityZone": …}, …]})",
                           recognises, read_aws_json};

}  // namespace sim::market
