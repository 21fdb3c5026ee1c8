// Splits text with quotes as a shell does. Between single quotes every character stands for itself.
// Between double quotes and outside of quotes, a backslash makes the next character stand for
// itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace policies {

// The parts of a comma list, quotes and backslashes included; commas in quotes or after a backslash
// part nothing.
std::vector<std::string_view> split_list(std::string_view text);

// Words, separated by spaces. Throws std::invalid_argument for a quote without an end.
std::vector<std::string> split_words(std::string_view text);

// The text that split_words reads as these words.
std::string join_words(const std::vector<std::string>& words);

}  // namespace policies
