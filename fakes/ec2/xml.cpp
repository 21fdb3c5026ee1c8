#include "fakes/ec2/xml.h"

#include <fmt/format.h>

namespace fakes::ec2 {

void add_text(Node parent, const char* name, const std::string& value) {
  parent.append_child(name).text().set(value.c_str());
}

void add_integer(Node parent, const char* name, std::int64_t value) {
  parent.append_child(name).text().set(static_cast<long long>(value));
}

void add_number(Node parent, const char* name, double value) {
  add_text(parent, name, fmt::format("{}", value));  // shortest form that reads back equal
}

void add_flag(Node parent, const char* name, bool value) {
  parent.append_child(name).text().set(value ? "true" : "false");
}

void add_time(Node parent, const char* name, sim::Time value) {
  add_text(parent, name, sim::iso_milliseconds(value));
}

void add_tags(Node parent, const sim::cloud::Tags& tags) {
  if (tags.empty()) return;
  Node set = parent.append_child("tagSet");
  for (const auto& [key, value] : tags) {
    Node item = set.append_child("item");
    add_text(item, "key", key);
    add_text(item, "value", value);
  }
}

void add_groups(Node parent, const std::vector<std::string>& group_ids) {
  Node set = parent.append_child("groupSet");
  for (const auto& id : group_ids) {
    Node item = set.append_child("item");
    add_text(item, "groupId", id);
  }
}

}  // namespace fakes::ec2
