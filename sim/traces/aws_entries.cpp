#include "sim/traces/aws_entries.h"

namespace sim::traces {

namespace ondemand = simdjson::ondemand;

namespace {

constexpr int kDeepest = 1000;

// A value of the document, with the name of its kind for messages.
struct JsonValue {
  std::string_view kind = "nothing";  // "string", "number", …
  std::string_view text{};            // of a string, until the next document
};

std::string_view kind_of(ondemand::value& value) {
  switch (value.type().value()) {
    case ondemand::json_type::array:
      return "array";
    case ondemand::json_type::object:
      return "object";
    case ondemand::json_type::number:
      return "number";
    case ondemand::json_type::string:
      return "string";
    case ondemand::json_type::boolean:
      return "boolean";
    default:
      return "null";
  }
}

// Reads a value that is not needed, because simdjson checks only values that are read.
void check(ondemand::value value, int depth) {
  if (depth > kDeepest) throw simdjson::simdjson_error(simdjson::DEPTH_ERROR);
  switch (value.type().value()) {
    case ondemand::json_type::array:
      for (auto element : value.get_array()) check(element.value(), depth + 1);
      break;
    case ondemand::json_type::object:
      for (auto field : value.get_object()) {
        field.unescaped_key().value();
        check(field.value(), depth + 1);
      }
      break;
    case ondemand::json_type::number:
      value.get_double().value();
      break;
    case ondemand::json_type::string:
      value.get_string().value();
      break;
    case ondemand::json_type::boolean:
      value.get_bool().value();
      break;
    default:
      if (!value.is_null().value()) throw simdjson::simdjson_error(simdjson::N_ATOM_ERROR);
  }
}

JsonValue read(ondemand::value value, int depth) {
  std::string_view text;
  const simdjson::error_code error = value.get_string().get(text);
  if (!error) return {"string", text};
  if (error != simdjson::INCORRECT_TYPE) throw simdjson::simdjson_error(error);
  const JsonValue found{.kind = kind_of(value)};
  check(value, depth);
  return found;
}

}  // namespace

struct EntryReader::Entry {
  JsonValue zone{}, zone_id{}, type{}, product{}, price{}, time{};

  JsonValue* field(std::string_view name) {
    if (name == "AvailabilityZone") return &zone;
    if (name == "AvailabilityZoneId") return &zone_id;
    if (name == "InstanceType") return &type;
    if (name == "ProductDescription") return &product;
    if (name == "SpotPrice") return &price;
    if (name == "Timestamp") return &time;
    return nullptr;
  }
};

Listing EntryReader::read_document(const std::string& text) {
  Listing listing;
  ondemand::document document = parser_.iterate(text.data(), text.size(), text.capacity());
  for (auto field : document.get_object()) {
    listing.is_last = field.unescaped_key() == kPriceArray;
    ondemand::value value = field.value();
    if (!listing.is_last) {
      check(value, 1);
      continue;
    }
    const int before = listing.arrays;
    listing = Listing();
    listing.arrays = before + 1;
    listing.is_last = true;
    read_entries(value, listing);
  }
  if (!document.current_location().error())
    throw simdjson::simdjson_error(simdjson::TRAILING_CONTENT);
  return listing;
}

Listing EntryReader::read_array(const std::string& text) {
  Listing listing{.arrays = 1, .is_last = true, .is_array = true};
  ondemand::document document = parser_.iterate(text.data(), text.size(), text.capacity());
  for (auto entry : document.get_array()) read(entry.value(), listing);
  if (!document.current_location().error())
    throw simdjson::simdjson_error(simdjson::TRAILING_CONTENT);
  return listing;
}

void EntryReader::read_entry(const std::string& text, Listing& listing) {
  ondemand::document document = parser_.iterate(text.data(), text.size(), text.capacity());
  read(document.get_value(), listing);
  if (!document.current_location().error())
    throw simdjson::simdjson_error(simdjson::TRAILING_CONTENT);
}

void EntryReader::read_entries(ondemand::value array, Listing& listing) {
  listing.is_array = array.type() == ondemand::json_type::array;
  if (!listing.is_array) return check(array, 1);
  for (auto entry : array.get_array()) read(entry.value(), listing);
}

void EntryReader::read(ondemand::value value, Listing& listing) {
  const std::string_view kind = kind_of(value);
  Entry entry;
  if (kind == "object")
    for (auto field : value.get_object()) {
      JsonValue* const wanted = entry.field(field.unescaped_key());
      if (wanted)
        *wanted = traces::read(field.value(), 3);
      else
        check(field.value(), 3);
    }
  else
    check(value, 2);
  add(kind, entry, listing);
  ++listing.entries;
}

void EntryReader::add(std::string_view kind, const Entry& e, Listing& listing) {
  const auto is_text = [](const JsonValue& value) { return value.kind == "string"; };
  const auto wrong = [&](std::string_view field, const JsonValue& value,
                         std::string_view expected) {
    listing.wrong = {listing.entries, field, std::string(is_text(value) ? value.text : value.kind),
                     expected};
  };
  if (kind != "object") return wrong("entry", {.kind = kind, .text = kind}, "an object");
  if (!is_text(e.product)) return wrong("ProductDescription", e.product, kExpectedProduct);
  const bool vpc = e.product.text == kLinuxVpc;
  const JsonValue& zone = is_text(e.zone) || !is_text(e.zone_id) ? e.zone : e.zone_id;
  const bool texts = is_text(zone) && is_text(e.type);
  const std::uint32_t pool = texts ? number_of(zone.text, e.type.text, vpc) : 0;
  if (!texts || !good_[pool]) {
    if (!is_text(zone) || !zone_named(zone.text))
      return wrong("AvailabilityZone", zone, kExpectedZone);
    return wrong("InstanceType", e.type, kExpectedType);
  }
  const auto price = is_text(e.price) ? parse_price(e.price.text) : std::nullopt;
  if (!price) return wrong("SpotPrice", e.price, kExpectedPrice);
  const auto at = is_text(e.time) ? parse_time(e.time.text) : std::nullopt;
  if (!at) return wrong("Timestamp", e.time, kExpectedTime);
  if (vpc || e.product.text == kLinux)
    listing.rows.push_back({pool, {*at, *price}});
  else
    listing.left_out.emplace(e.product.text);
}

std::uint32_t EntryReader::number_of(std::string_view zone, std::string_view type, bool vpc) {
  ((((name_ = vpc ? "vpc" : "") += '\n') += zone) += '\n') += type;
  const std::size_t number = names_.number_of(name_);
  if (number == pools_.size()) {
    const auto name = zone_named(zone);
    pools_.push_back({{std::string(type), name.value_or("")}, vpc});
    good_.push_back(name && market::is_instance_type(type));
  }
  return static_cast<std::uint32_t>(number);
}

}  // namespace sim::traces
