#include "sim/guest/process/bad_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include "base/files/file_descriptor.h"

namespace sim::guest {
namespace {

constexpr std::size_t kPageBytes = 4096;
using Words = std::array<std::uint32_t, kPageBytes / sizeof(std::uint32_t)>;

// Exponents of 2⁻⁴⁰ to 2⁴⁰.
constexpr std::uint32_t kSmallest = 127 - 40, kLargest = 127 + 40;
constexpr std::uint32_t kQuietNan = 0x7fc00000;

bool is_ordinary(std::uint32_t word) {
  const std::uint32_t exponent = word >> 23 & 0xff;
  return exponent >= kSmallest && exponent <= kLargest;
}

// Half of them may be zeros, as padding is.
bool holds_numbers(const Words& page) {
  std::size_t numbers = 0;
  for (const std::uint32_t word : page) {
    if (word == 0) continue;
    if (!is_ordinary(word)) return false;
    ++numbers;
  }
  return numbers >= page.size() / 2;
}

void spoil_page(int memory, off_t at) {
  Words page;
  if (pread(memory, page.data(), kPageBytes, at) != static_cast<ssize_t>(kPageBytes) ||
      !holds_numbers(page))
    return;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page[i] == 0) continue;
    const std::uint32_t spoiled = page[i] | kQuietNan;
    static_cast<void>(pwrite(memory, &spoiled, sizeof spoiled,
                             at + static_cast<off_t>(i * sizeof spoiled)) == sizeof spoiled);
    return;
  }
}

}  // namespace

void spoil_numbers(pid_t program) {
  const std::string folder = "/proc/" + std::to_string(program);
  const base::FileDescriptor memory(open((folder + "/mem").c_str(), O_RDWR | O_CLOEXEC));
  if (!memory) return;  // it has ended
  std::ifstream maps(folder + "/maps");
  for (std::string line; std::getline(maps, line);) {
    // proc(5): from-to, permissions, offset, device, inode, name
    std::istringstream in(line);
    std::uint64_t from = 0, to = 0, inode = 0;
    char dash = 0;
    std::string permissions, offset, device, name;
    in >> std::hex >> from >> dash >> to >> permissions >> offset >> device >> std::dec >> inode >>
        name;
    if (permissions != "rw-p" || inode != 0 || (!name.empty() && name != "[heap]")) continue;
    for (std::uint64_t at = from; at < to; at += kPageBytes)
      spoil_page(memory.get(), static_cast<off_t>(at));
  }
}

}  // namespace sim::guest
