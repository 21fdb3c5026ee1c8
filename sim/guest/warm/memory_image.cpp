#include "sim/guest/warm/memory_image.h"

#include <elf.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>

#include "base/process/system_call.h"
#include "sim/guest/time/guest_task.h"
#include "sim/guest/warm/image_cache.h"
#include "sim/guest/warm/image_layout.h"
#include "sim/guest/warm/mappings.h"

namespace sim::guest::warm {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPage = 4096;

std::uint64_t page_end(std::uint64_t address) { return (address + kPage - 1) / kPage * kPage; }

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error(why); }

// proc(5)'s fields of /proc/PID/stat, from the third on.
std::vector<std::uint64_t> numbers_of(const std::string& proc) {
  std::ifstream in(proc + "/stat");
  std::string line;
  std::getline(in, line);
  std::istringstream words(line.substr(line.rfind(')') + 2));
  std::vector<std::uint64_t> out(3);  // fields 0 to 2: none
  for (std::string word; words >> word;) {
    std::uint64_t number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    out.push_back(number);
  }
  return out;
}

std::size_t entries(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
}

// A process that is stopped by ptrace(2). It is killed at the end: a task that was stopped in a
// system call would repeat it, and its namespace cannot end before its tracer has seen its end.
class StoppedProcess {
 public:
  explicit StoppedProcess(pid_t process) : process_(process) {
    base::checked(ptrace(PTRACE_SEIZE, process, nullptr, nullptr), "tracing");
    base::checked(ptrace(PTRACE_INTERRUPT, process, nullptr, nullptr), "stopping");
    int status = 0;
    base::checked(waitpid(process, &status, __WALL), "waiting for its stop");
    if (!WIFSTOPPED(status)) refuse("it ended");
  }
  ~StoppedProcess() {
    kill(process_, SIGKILL);
    int status = 0;
    while (waitpid(process_, &status, __WALL) >= 0 && WIFSTOPPED(status)) {
    }
  }
  StoppedProcess(const StoppedProcess&) = delete;
  StoppedProcess& operator=(const StoppedProcess&) = delete;

  user_regs_struct registers() const {
    user_regs_struct out{};
    base::checked(ptrace(PTRACE_GETREGS, process_, nullptr, &out), "reading its registers");
    return out;
  }

 private:
  const pid_t process_;
};

// Where libc keeps the number of its only task: near the thread pointer, as set_tid_address(2) was
// told.
std::uint64_t place_of_number(pid_t process, std::uint64_t thread_pointer) {
  std::array<std::int32_t, kPage / 4> words{};
  if (!read_memory(process, thread_pointer, words.data(), sizeof words))
    refuse("its thread data cannot be read");
  const auto number = number_in_namespace(process);
  const auto at = std::ranges::find(words, number);
  if (at == words.end()) refuse("its libc does not keep the task's number where others do");
  return thread_pointer + 4 * static_cast<std::uint64_t>(at - words.begin());
}

// The functions of our own vDSO, which all processes have.
void list_functions(ImageHeader& header) {
  const std::uint64_t base = getauxval(AT_SYSINFO_EHDR);
  if (base == 0) return;
  const auto* elf = reinterpret_cast<const Elf64_Ehdr*>(base);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(base + elf->e_shoff);
  for (int i = 0; i < elf->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(base + sections[i].sh_offset);
    const std::uint64_t count = sections[i].sh_size / sizeof *symbols;
    for (std::uint64_t symbol = 0; symbol < count; ++symbol) {
      const std::uint64_t offset = symbols[symbol].st_value;
      auto* const end = header.function_offsets + header.functions;
      if (ELF64_ST_TYPE(symbols[symbol].st_info) != STT_FUNC ||
          std::find(header.function_offsets, end, offset) != end)
        continue;
      if (header.functions == kMostFunctions) refuse("the vDSO has more functions than are known");
      header.function_offsets[header.functions++] = static_cast<std::uint32_t>(offset);
    }
  }
}

// The file, as it is written from its beginning.
class ImageFile {
 public:
  // Leaves room for the header, whose length is not known yet.
  void leave_room(std::uint64_t bytes) { end_ = room_ = page_end(bytes); }
  std::uint64_t room() const { return room_; }

  // Pages of zeros stay holes.
  Segment copy(int memory, std::uint64_t address, std::uint64_t bytes, int protection) {
    const Segment out{address, bytes, end_, protection};
    std::vector<char> part(kPage * 256);
    static constexpr std::array<char, kPage> kZeros{};
    for (std::uint64_t done = 0; done < bytes; done += part.size()) {
      const std::uint64_t size = std::min<std::uint64_t>(part.size(), bytes - done);
      // A page that is not there (behind the end of a mapped file) counts as zeros.
      const ssize_t n = pread(memory, part.data(), size, static_cast<off_t>(address + done));
      const auto there = static_cast<std::uint64_t>(std::max<ssize_t>(n, 0));
      const auto is_empty = [&](std::uint64_t at) {
        return std::memcmp(part.data() + at, kZeros.data(), std::min(kPage, there - at)) == 0;
      };
      for (std::uint64_t at = 0; at < there;) {
        std::uint64_t end = at;
        while (end < there && !is_empty(end)) end += kPage;
        if (end > at) write(part.data() + at, std::min(end, there) - at, end_ + done + at);
        at = end + kPage;
      }
    }
    end_ += page_end(bytes);
    return out;
  }
  void write(const void* from, std::uint64_t bytes, std::uint64_t at) {
    if (pwrite(file_.descriptor(), from, bytes, static_cast<off_t>(at)) !=
        static_cast<ssize_t>(bytes))
      base::throw_errno("writing a memory image");
  }
  base::FileDescriptor finish() {
    base::checked(ftruncate(file_.descriptor(), static_cast<off_t>(end_)), "ending a memory image");
    return file_.finish();
  }

 private:
  ImageInMemory file_;
  std::uint64_t end_ = 0, room_ = 0;
};

// The header's tables and texts, behind the header.
class Tables {
 public:
  std::uint64_t text(const std::string& text) { return add(text.c_str(), text.size() + 1, 1); }
  template <typename T>
  std::uint64_t table(const std::vector<T>& rows) {
    return add(rows.data(), rows.size() * sizeof(T), alignof(T));
  }
  const std::vector<char>& bytes() const { return bytes_; }
  std::uint64_t end() const { return sizeof(ImageHeader) + bytes_.size(); }

 private:
  std::uint64_t add(const void* from, std::size_t size, std::size_t alignment) {
    while (bytes_.size() % alignment != 0) bytes_.push_back(0);
    const std::uint64_t at = end();
    const auto* first = static_cast<const char*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
    return at;
  }
  std::vector<char> bytes_;
};

CheckedFile checked_file(int root, const std::string& path, std::uint64_t text) {
  struct stat now {};
  const base::FileDescriptor file = open_in_root(root, path, O_PATH);
  if (!file || fstat(file.get(), &now) != 0)
    return {.path = text, .bytes = -1, .seconds = 0, .nanoseconds = 0};
  return {text, S_ISDIR(now.st_mode) ? 0 : now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec};
}

// All but the standard ones. Their flags are in octal.
std::vector<OpenFile> open_files(const std::string& proc, Tables& tables) {
  std::vector<OpenFile> out;
  for (const auto& entry : fs::directory_iterator(proc + "/fd")) {
    const std::string number = entry.path().filename();
    const std::string path = fs::read_symlink(entry.path());
    if (std::stoi(number) < 3) continue;
    std::ifstream in(proc + "/fdinfo/" + number);
    OpenFile file{
        .path = tables.text(path), .position = 0, .number = std::stoi(number), .flags = 0};
    std::string key;
    in >> key >> file.position >> key >> std::oct >> file.flags;
    if (!path.starts_with('/') || (file.flags & O_ACCMODE) != O_RDONLY || file.position > kMostRead)
      refuse("it has a file open: " + path);
    out.push_back(file);
  }
  return out;
}

std::vector<Segment> note_memory(const std::string& proc, int memory, ImageFile& file,
                                 ImageHeader& header) {
  const std::vector<std::uint64_t> numbers = numbers_of(proc);
  if (numbers.size() < 52) refuse("the kernel does not tell where its memory begins");
  header.code_start = numbers[26], header.code_end = numbers[27];
  header.stack_start = numbers[28];
  header.data_start = numbers[45], header.data_end = numbers[46];
  header.heap_start = header.heap_end = numbers[47];
  const std::uint64_t variables = numbers[50];  // above the stack, the arguments
  std::vector<Segment> segments;
  for (const Mapping& mapping : mappings_of(proc)) {
    if (mapping.name == "[vdso]") {
      header.vdso = mapping.from;
      header.vdso_bytes = mapping.to - mapping.from;
    }
    if (mapping.belongs_to_kernel()) continue;
    if (mapping.shared_to_write()) refuse("it shares memory: " + mapping.name);
    if (mapping.name == "[heap]") header.heap_end = mapping.to;
    if (mapping.name != "[stack]") {
      segments.push_back(
          file.copy(memory, mapping.from, mapping.to - mapping.from, mapping.protection()));
    } else if (header.entry == 0) {
      const std::uint64_t from = header.registers.rsp / kPage * kPage;
      header.stack = file.copy(memory, from, variables - from, 0);
    }
  }
  return segments;
}

Segment& segment_with(std::vector<Segment>& segments, std::uint64_t address) {
  const auto found = std::ranges::find_if(segments, [&](const Segment& segment) {
    return address >= segment.address && address - segment.address < segment.bytes;
  });
  if (found == segments.end()) refuse("it has no memory at its entry point");
  return *found;
}

// The program continues with the code that the call of sync(2) replaced, on its caller's stack.
void note_entry(const std::string& proc, int memory, const AtEntry& how, ImageFile& file,
                ImageHeader& header, Tables& tables, std::vector<Segment>& segments) {
  const Segment& code = segment_with(segments, header.entry);
  file.write(how.code.data(), how.code.size(), code.offset + header.entry - code.address);
  const std::vector<StackPointer> pointers = pointers_to_stack(proc, memory, header.registers.rsp);
  for (const StackPointer& pointer : pointers)
    segment_with(segments, pointer.address).has_stack_pointers = true;
  header.registers.rip = header.entry;
  header.program_headers = auxiliary_value(proc, AT_PHDR);
  header.program_header_count = auxiliary_value(proc, AT_PHNUM);
  header.linker = auxiliary_value(proc, AT_BASE);
  header.stack_pointer_count = pointers.size();
  header.stack_pointers = tables.table(pointers);
  const std::vector<Draw> draws = draws_of(how.taken);
  header.draw_count = draws.size();
  header.draws = tables.table(draws);
}

// One mapping in place of neighbours with the same protection, since each mapping costs time in
// every start. Code and constants also become one. The program may then execute its constants, as
// older linkers let it: they put both into one segment. spotsim does not protect guests from
// themselves.
std::vector<Segment> merged(const std::vector<Segment>& segments) {
  const auto is_constant = [](const Segment& segment) {
    return (segment.protection & (PROT_READ | PROT_WRITE)) == PROT_READ;
  };
  std::vector<Segment> out;
  for (const Segment& segment : segments) {
    if (out.empty() || out.back().address + out.back().bytes != segment.address ||
        out.back().offset + out.back().bytes != segment.offset ||
        !(out.back().protection == segment.protection ||
          (is_constant(out.back()) && is_constant(segment)))) {
      out.push_back(segment);
      continue;
    }
    out.back().bytes += segment.bytes;
    out.back().protection |= segment.protection;
    out.back().has_stack_pointers |= segment.has_stack_pointers;
  }
  return out;
}

}  // namespace

base::FileDescriptor open_in_root(int root, const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_IN_ROOT;
  return base::FileDescriptor(
      static_cast<int>(syscall(SYS_openat2, root, path.c_str(), &how, sizeof how)));
}

Manifest read_manifest(const fs::path& file) {
  Manifest out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto blank = line.find(' ');
    const std::string key = line.substr(0, blank), value = line.substr(blank + 1);
    if (key == "interpreter") out.interpreter = value;
    if (key == "user_packages") out.user_packages = value;
    if (key == "children") out.children = std::stoull(value);
    if (key == "file") out.files.push_back(value);
  }
  return out;
}

bool files_are_unchanged(int image, int root) {
  ImageHeader header{};
  if (pread(image, &header, sizeof header, 0) != sizeof header || header.magic != kImageMagic)
    return false;
  std::vector<char> all(header.bytes);
  if (pread(image, all.data(), all.size(), 0) != static_cast<ssize_t>(all.size())) return false;
  const std::span files(reinterpret_cast<const CheckedFile*>(all.data() + header.files),
                        header.file_count);
  return std::ranges::all_of(files, [&](const CheckedFile& file) {
    return checked_file(root, all.data() + file.path, file.path) == file;
  });
}

base::FileDescriptor take_memory_image(pid_t process, const fs::path& root,
                                       const Manifest& manifest, const AtEntry* at_entry) {
  const std::string proc = "/proc/" + std::to_string(process);
  if (entries(proc + "/task") != 1) refuse("it has more than one thread");
  ImageHeader header{};
  header.magic = kImageMagic;
  void* robust = nullptr;
  std::size_t robust_bytes = 0;
  base::checked(syscall(SYS_get_robust_list, process, &robust, &robust_bytes),
                "asking for its mutexes");
  header.robust_list = reinterpret_cast<std::uint64_t>(robust);
  const StoppedProcess stopped(process);
  const user_regs_struct at = stopped.registers();
  header.registers = {at.rbx, at.rbp, at.r12, at.r13,     at.r14,
                      at.r15, at.rsp, at.rip, at.fs_base, at.rdx};
  header.task_number = place_of_number(process, at.fs_base);
  header.children = manifest.children;
  list_functions(header);

  Tables tables;
  std::vector<CheckedFile> files;
  const base::FileDescriptor folder(
      base::checked(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC), "opening its root"));
  for (const std::string& path : manifest.files)
    files.push_back(checked_file(folder.get(), path, tables.text(path)));
  header.file_count = files.size();
  header.files = tables.table(files);
  const std::vector<OpenFile> open = open_files(proc, tables);
  header.open_file_count = open.size();
  header.open_files = tables.table(open);
  if (at_entry != nullptr) header.entry = auxiliary_value(proc, AT_ENTRY);
  if (!manifest.interpreter.empty()) header.interpreter = tables.text(manifest.interpreter);
  if (!manifest.user_packages.empty()) header.user_packages = tables.text(manifest.user_packages);
  ImageFile file;
  constexpr std::uint64_t kRoomForPointers = 16 * kPage;
  file.leave_room(tables.end() + mappings_of(proc).size() * sizeof(Segment) + kRoomForPointers);
  const base::FileDescriptor memory(
      base::checked(::open((proc + "/mem").c_str(), O_RDONLY | O_CLOEXEC), "reading its memory"));
  std::vector<Segment> segments = note_memory(proc, memory.get(), file, header);
  if (at_entry != nullptr)
    note_entry(proc, memory.get(), *at_entry, file, header, tables, segments);
  segments = merged(segments);
  header.segment_count = segments.size();
  header.segments = tables.table(segments);
  header.bytes = tables.end();
  if (header.bytes > file.room()) refuse("it has too many pointers into its stack");
  file.write(&header, sizeof header, 0);
  file.write(tables.bytes().data(), tables.bytes().size(), sizeof header);
  return file.finish();
}

}  // namespace sim::guest::warm
