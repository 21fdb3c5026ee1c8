// A hash of everything that determines a sweep's results: texts, and the content of files.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sim::sweep {

class ContentHash {
 public:
  ContentHash() : state_(XXH3_createState()) { XXH3_64bits_reset(state_); }
  ~ContentHash() { XXH3_freeState(state_); }
  ContentHash(const ContentHash&) = delete;
  ContentHash& operator=(const ContentHash&) = delete;

  void add(std::string_view text);
  void add_file(const std::filesystem::path& file);
  // Adds a file, or all files in a folder, with their relative names.
  void add_input(const std::filesystem::path& input);
  std::string hex() const;

 private:
  XXH3_state_t* state_;
};

}  // namespace sim::sweep
