// XML as the EC2 Query protocol renders it: one element a member, lists of <item>.
#pragma once

#include <cstdint>
#include <pugixml.hpp>
#include <string>

#include "sim/cloud/resources.h"
#include "sim/kernel/time.h"

namespace fakes::ec2 {

using Node = pugi::xml_node;

// Each adds <name>value</name> below `parent`.
void add_text(Node parent, const char* name, const std::string& value);
void add_integer(Node parent, const char* name, std::int64_t value);
void add_number(Node parent, const char* name, double value);  // "1.0", "2.5"
void add_flag(Node parent, const char* name, bool value);
void add_time(Node parent, const char* name, sim::Time value);  // "2019-11-05T10:00:00.000Z"

// <tagSet> with one item a tag; nothing when there is no tag, as EC2 does.
void add_tags(Node parent, const sim::cloud::Tags& tags);
// <groupSet> of security groups by ID.
void add_groups(Node parent, const std::vector<std::string>& group_ids);

}  // namespace fakes::ec2
