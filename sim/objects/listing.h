// Lists a bucket: keys and common prefixes in the order of their bytes, one page at a time (S3 API
// reference, ListObjectsV2, ListObjects).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/objects/store.h"

namespace sim::objects {

struct ListQuery {
  std::string prefix, delimiter;
  std::string after;        // lists only entries after this key or common prefix
  std::size_t most = 1000;  // maximum of keys and common prefixes together
};

struct Listing {
  struct Entry {
    std::string key;
    const Object* object;
  };
  std::vector<Entry> entries;
  std::vector<std::string> common_prefixes;
  bool truncated = false;
  std::string last;  // the page's last key or common prefix
};

Listing list(const Bucket& bucket, const ListQuery& query);

}  // namespace sim::objects
