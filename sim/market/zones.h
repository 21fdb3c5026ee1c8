// The Availability Zones of AWS's regions and their IDs (EC2 user guide, "Regions and Zones";
// "Availability Zone IDs for your AWS resources").
//
// AWS gives each account its own letters, and an ID is the same for all. Here the letters follow
// the numbers of the IDs, because no account's order is better than another's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sim::market {

// The letters of a region's zones: "abcd" for us-west-2; "abc" for regions that the table lacks.
std::string_view zone_letters(std::string_view region);

// Converts "us-west-2b" into "usw2-az2", "ap-northeast-1c" into "apne1-az2", and "us-west-2-lax-1a"
// into "usw2-lax1-az1". A text that is not a zone's name is returned unchanged.
std::string zone_id(std::string_view zone);
// The zone of an ID. Empty if the text is not an ID.
std::optional<std::string> zone_of_id(std::string_view id);

}  // namespace sim::market
