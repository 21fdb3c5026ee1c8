// Tables of instance types that are part of the program: CSV with lines of comments, and a line of
// column names that begins with "instance_type".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fakes::ec2 {

// The cells of each row. A row may lack its last cells.
std::vector<std::vector<std::string>> rows_of(std::string_view csv);
// The number in a cell. It must be one.
std::int64_t number_in(const std::string& cell);

}  // namespace fakes::ec2
