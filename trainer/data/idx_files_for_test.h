// For tests: pictures and labels as IDX files.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace spottrain {

// An IDX file of bytes with these dimensions.
inline std::string idx(std::initializer_list<std::uint32_t> sizes, std::string_view values) {
  std::string text{0, 0, 8, static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes) {
    for (const int shift : {24, 16, 8, 0}) text += static_cast<char>(size >> shift);
  }
  return text.append(values);
}

inline void write_gzip(const std::filesystem::path& file, std::string_view content) {
  gzFile out = gzopen(file.c_str(), "wb");
  gzwrite(out, content.data(), static_cast<unsigned>(content.size()));
  gzclose(out);
}

}  // namespace spottrain
