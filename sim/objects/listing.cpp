#include "sim/objects/listing.h"

#include <algorithm>

namespace sim::objects {
namespace {

// The first text after all that begin with `prefix`; empty: there is none.
std::string end_of(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xff) prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

// What stands for all keys alike up to the delimiter; empty: the key stands for itself.
std::string common_prefix(const std::string& key, const ListQuery& query) {
  if (query.delimiter.empty()) return "";
  const auto at = key.find(query.delimiter, query.prefix.size());
  return at == key.npos ? "" : key.substr(0, at + query.delimiter.size());
}

}  // namespace

Listing list(const Bucket& bucket, const ListQuery& query) {
  Listing listing;
  const auto& objects = bucket.objects;
  auto at = objects.lower_bound(std::max(query.prefix, query.after));
  while (at != objects.end() && at->first.starts_with(query.prefix)) {
    const auto& [key, object] = *at;
    const std::string common = common_prefix(key, query);
    const std::string& shown = common.empty() ? key : common;
    if (shown > query.after || query.after.empty()) {
      if (listing.entries.size() + listing.common_prefixes.size() == query.most) {
        listing.truncated = query.most > 0;
        break;
      }
      listing.last = shown;
      if (common.empty())
        listing.entries.push_back({key, &object});
      else
        listing.common_prefixes.push_back(common);
    }
    if (common.empty()) {
      ++at;
    } else {
      const std::string end = end_of(common);
      at = end.empty() ? objects.end() : objects.lower_bound(end);
    }
  }
  return listing;
}

}  // namespace sim::objects
