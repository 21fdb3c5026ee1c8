// Reads the entries of AWS's price history: objects with AvailabilityZone, InstanceType,
// ProductDescription, SpotPrice and Timestamp. They are in describe-spot-price-history's array, in
// a plain array, or one per line.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/market/price_history.h"
#include "sim/traces/name_index.h"
#include "sim/traces/price_products.h"
#include "sim/traces/trace_fields.h"

namespace sim::traces {

inline constexpr std::string_view kPriceArray = "SpotPriceHistory";

// An error in an entry.
struct WrongEntry {
  std::size_t index;
  std::string_view field;
  std::string found;
  std::string_view expected;
};

// A price, and the number that the reader gave to its pool.
struct EntryRow {
  std::uint32_t pool;
  market::PricePoint point;
};

struct EntryPool {
  market::Pool pool;
  bool vpc;
};

// The content of a document's array.
struct Listing {
  int arrays = 0;        // number of arrays with this name; the last counts
  bool is_last = false;  // true: the array is the document's last key
  bool is_array = false;
  std::size_t entries = 0;
  std::vector<EntryRow> rows;
  std::set<std::string> left_out;   // products
  std::optional<WrongEntry> wrong;  // of several, the last entry's
};

// Reads documents, and numbers their pools in the order in which they occur. All functions throw
// simdjson_error. The text's buffer must have room for simdjson's padding.
class EntryReader {
 public:
  // Reads a document that has the array, as AWS prints it.
  Listing read_document(const std::string& text);
  // Reads a plain array of entries.
  Listing read_array(const std::string& text);
  // Reads one entry and adds it to the listing.
  void read_entry(const std::string& text, Listing& listing);
  const std::vector<EntryPool>& pools() const { return pools_; }

 private:
  struct Entry;
  void read_entries(simdjson::ondemand::value array, Listing& listing);
  void read(simdjson::ondemand::value value, Listing& listing);
  void add(std::string_view kind, const Entry& entry, Listing& listing);
  std::uint32_t number_of(std::string_view zone, std::string_view type, bool vpc);

  simdjson::ondemand::parser parser_;
  NameIndex names_;
  std::vector<EntryPool> pools_;  // by the pool's number in names_
  std::vector<bool> good_;        // true: zone and type are valid
  std::string name_;
};

}  // namespace sim::traces
