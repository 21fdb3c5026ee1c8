#include "sim/guest/warm/entry_point.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "base/files/whole_file.h"
#include "base/process/system_call.h"
#include "sim/guest/warm/mappings.h"

namespace sim::guest::warm {
namespace {

namespace fs = std::filesystem;

// mov $162, %eax; syscall; ud2. All other registers stay.
constexpr std::string_view kSync{"\xb8\xa2\0\0\0\x0f\x05\x0f\x0b", 9};

[[noreturn]] void no_image(const std::string& why) { throw std::runtime_error(why); }

template <typename T>
T part_of(const std::string& file, std::uint64_t offset) {
  T out{};
  if (offset > file.size() || file.size() - offset < sizeof out) no_image("it is truncated");
  file.copy(reinterpret_cast<char*>(&out), sizeof out, offset);
  return out;
}

// Where the file has its entry point.
std::uint64_t offset_of_entry(const std::string& file) {
  const auto header = part_of<Elf64_Ehdr>(file, 0);
  bool is_linked = false;
  std::optional<std::uint64_t> out;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto part = part_of<Elf64_Phdr>(file, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (part.p_type == PT_INTERP) is_linked = true;
    if (part.p_type == PT_LOAD && header.e_entry >= part.p_vaddr &&
        header.e_entry + kSync.size() <= part.p_vaddr + part.p_filesz)
      out = part.p_offset + header.e_entry - part.p_vaddr;
  }
  if (!is_linked || !out || *out + kSync.size() > file.size())
    no_image("it is not dynamically linked");
  return *out;
}

std::uint64_t word_at(int memory, std::uint64_t address) {
  std::uint64_t out = 0;
  if (pread(memory, &out, sizeof out, static_cast<off_t>(address)) != sizeof out)
    base::throw_errno("reading its stack");
  return out;
}

std::string text_at(int memory, std::uint64_t address) {
  std::string out(4096, '\0');
  const ssize_t n = pread(memory, out.data(), out.size(), static_cast<off_t>(address));
  out.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return out.c_str();
}

// Whether the process has written to this page, as proc(5) says of pagemap. Others are a file's.
bool is_written(int pagemap, std::uint64_t page) {
  constexpr std::uint64_t kPresent = 1ULL << 63, kSwapped = 1ULL << 62, kOfFile = 1ULL << 61;
  std::uint64_t entry = 0;
  if (pread(pagemap, &entry, sizeof entry, static_cast<off_t>(page / 4096 * sizeof entry)) !=
      sizeof entry)
    no_image("the kernel does not tell which memory it has written to");
  return (entry & (kPresent | kSwapped)) != 0 && (entry & kOfFile) == 0;
}

// The places by their addresses on the stack of this process.
std::map<std::uint64_t, StackPlace> places_of(const std::string& proc, int memory,
                                              std::uint64_t stack) {
  std::map<std::uint64_t, StackPlace> out;
  out[stack] = StackPlace::kCount;
  out[stack + 8] = StackPlace::kArguments;
  std::uint64_t at = stack + 8 * (word_at(memory, stack) + 2);
  out[at] = StackPlace::kEnvironment;
  while (word_at(memory, at) != 0) at += 8;
  out[at + 8] = StackPlace::kAuxiliary;
  const std::uint64_t name = word_at(memory, stack + 8);
  const std::string text = text_at(memory, name);
  out[name + (text.rfind('/') + 1)] = StackPlace::kShortName;
  out[name] = StackPlace::kName;
  out[auxiliary_value(proc, AT_RANDOM)] = StackPlace::kRandom;
  out[auxiliary_value(proc, AT_PLATFORM)] = StackPlace::kPlatform;
  return out;
}

}  // namespace

std::string copy_that_stops(const fs::path& program, const fs::path& copy) {
  std::string file = base::read_file(program).value_or("");
  if (!file.starts_with("\x7f"
                        "ELF\x02") ||
      part_of<Elf64_Ehdr>(file, 0).e_machine != EM_X86_64)
    no_image("it is not a program of this kind of machine");
  const std::uint64_t at = offset_of_entry(file);
  std::string code = file.substr(at, kSync.size());
  file.replace(at, kSync.size(), kSync);
  std::ofstream out(copy, std::ios::binary);
  out << file;
  out.close();
  if (!out) base::throw_errno("writing " + copy.string());
  fs::permissions(copy, fs::perms(0755));
  return code;
}

std::vector<Draw> draws_of(const std::vector<TakenRecord>& taken) {
  std::vector<Draw> out;
  for (std::size_t i = 1; i < taken.size(); ++i) {
    if (taken[i].what != Taken::kBytes || taken[i].amount > kMostSkipped)
      no_image("its start does more than load libraries");
    out.push_back({static_cast<std::uint32_t>(taken[i].what), taken[i].amount});
  }
  return out;
}

std::vector<std::string> linked_files(pid_t process, const std::string& program) {
  std::set<std::string> out{"/etc/ld.so.cache", "/etc/ld.so.preload"};
  for (const Mapping& mapping : mappings_of("/proc/" + std::to_string(process)))
    if (mapping.name.starts_with('/') && mapping.name != program) out.insert(mapping.name);
  return {out.begin(), out.end()};
}

std::uint64_t auxiliary_value(const std::string& proc, std::uint64_t kind) {
  const std::string values = base::read_file(proc + "/auxv").value_or("");
  for (std::uint64_t at = 0; at + sizeof(Elf64_auxv_t) <= values.size();
       at += sizeof(Elf64_auxv_t)) {
    const auto entry = part_of<Elf64_auxv_t>(values, at);
    if (entry.a_type == kind) return entry.a_un.a_val;
  }
  return 0;
}

std::vector<StackPointer> pointers_to_stack(const std::string& proc, int memory,
                                            std::uint64_t stack) {
  const std::map<std::uint64_t, StackPlace> places = places_of(proc, memory, stack);
  const std::vector<Mapping> mappings = mappings_of(proc);
  const auto end = std::ranges::find(mappings, "[stack]", &Mapping::name);
  if (end == mappings.end()) no_image("it has no stack");
  const base::FileDescriptor pagemap(base::checked(
      open((proc + "/pagemap").c_str(), O_RDONLY | O_CLOEXEC), "looking at its memory"));
  std::vector<StackPointer> out;
  for (const Mapping& mapping : mappings) {
    if (mapping.belongs_to_kernel() || mapping.name == "[stack]") continue;
    for (std::uint64_t page = mapping.from; page < mapping.to; page += 4096) {
      if (!is_written(pagemap.get(), page)) continue;
      std::array<std::uint64_t, 512> words{};
      if (pread(memory, words.data(), sizeof words, static_cast<off_t>(page)) <= 0) continue;
      for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] < stack || words[i] >= end->to) continue;
        const auto place = places.find(words[i]);
        if (place == places.end())
          no_image(fmt::format("{} keeps a pointer into the stack at {:x}: {:x}",
                               mapping.name.empty() ? "its memory" : mapping.name, page + 8 * i,
                               words[i]));
        out.push_back({page + 8 * i, place->second});
      }
    }
  }
  return out;
}

}  // namespace sim::guest::warm
