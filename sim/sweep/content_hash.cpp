#include "sim/sweep/content_hash.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

namespace sim::sweep {

namespace fs = std::filesystem;

void ContentHash::add(std::string_view text) {
  const std::uint64_t size = text.size();
  XXH3_64bits_update(state_, &size, sizeof size);
  XXH3_64bits_update(state_, text.data(), text.size());
}

void ContentHash::add_file(const fs::path& file) {
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  add(content.str());
}

void ContentHash::add_input(const fs::path& input) {
  if (fs::is_regular_file(input)) return add_file(input);
  if (!fs::is_directory(input)) return;
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(input))
    if (entry.is_regular_file()) files.insert(entry.path());
  for (const fs::path& file : files) {
    add(file.lexically_relative(input).generic_string());
    add_file(file);
  }
}

std::string ContentHash::hex() const { return fmt::format("{:016x}", XXH3_64bits_digest(state_)); }

}  // namespace sim::sweep
