// Starts a program from its memory image. The process keeps everything that its caller gave it:
// number, parent, group, files, limits, rights. Only its memory is replaced. If there is no image,
// or it does not fit, the program is executed as usual.
//
//   aws PROGRAM ARGUMENTS…   a Python script
//   NAME ARGUMENTS…          the program of this name, which continues at its entry point
//
// This program has no libraries, because their start would be seen by the supervisor. It lies at an
// address that no other program uses, since the image needs the usual ones.
#include <asm/prctl.h>
#include <asm/unistd.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "sim/guest/time/calls/warm_calls.h"
#include "sim/guest/warm/image_layout.h"

namespace {

using namespace sim::guest;
using warm::CheckedFile;
using warm::ImageHeader;
using warm::OpenFile;
using warm::Registers;
using warm::Segment;
using warm::StackPlace;
using warm::StackPointer;

long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result = number;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}
template <typename T>
long address(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

std::size_t length(const char* text) {
  std::size_t n = 0;
  while (text[n] != 0) ++n;
  return n;
}
const char* behind_last_slash(const char* text) {
  const char* out = text;
  for (; *text != 0; ++text)
    if (*text == '/') out = text + 1;
  return out;
}
bool begins(const char* text, const char* with) {
  while (*with != 0)
    if (*text++ != *with++) return false;
  return true;
}

struct Caller {
  long count;
  char** arguments;
  char** environment;
  std::uint64_t* auxiliary;

  explicit Caller(long* stack) : count(stack[0]), arguments(reinterpret_cast<char**>(stack + 1)) {
    environment = arguments + count + 1;
    char** end = environment;
    while (*end != nullptr) ++end;
    auxiliary = reinterpret_cast<std::uint64_t*>(end + 1);
  }
  const char* variable(const char* name_and_equals) const {
    for (char** at = environment; *at != nullptr; ++at)
      if (begins(*at, name_and_equals)) return *at + length(name_and_equals);
    return nullptr;
  }
  std::uint64_t auxiliary_value(std::uint64_t kind) const {
    for (const std::uint64_t* at = auxiliary; at[0] != 0; at += 2)
      if (at[0] == kind) return at[1];
    return 0;
  }
  void set_auxiliary_value(std::uint64_t kind, std::uint64_t value) const {
    for (std::uint64_t* at = auxiliary; at[0] != 0; at += 2)
      if (at[0] == kind) at[1] = value;
  }
};

// <sys/auxv.h> has functions of libc.
constexpr std::uint64_t kProgramHeaders = 3, kProgramHeaderCount = 5, kLinker = 7, kEntry = 9;
constexpr std::uint64_t kPlatform = 15, kSecure = 23, kRandom = 25, kProgramPath = 31;
constexpr std::uint64_t kVdsoAddress = 33;
// Of the kernel's stack, what this program and the new arguments need at most.
constexpr std::uint64_t kOwnStack = 0x4000;

// The image, mapped where the kernel likes.
class Image {
 public:
  Image(int file, const ImageHeader* header) : file_(file), header_(header) {}
  const ImageHeader& header() const { return *header_; }
  int file() const { return file_; }
  const char* text(std::uint64_t offset) const { return base() + offset; }
  template <typename T>
  const T* table(std::uint64_t offset) const {
    return reinterpret_cast<const T*>(base() + offset);
  }

 private:
  const char* base() const { return reinterpret_cast<const char*>(header_); }
  int file_;
  const ImageHeader* header_;
};

long status_of(const char* path, struct stat& out) {
  return call(__NR_stat, address(path), address(&out));
}

bool is_unchanged(const Image& image, const CheckedFile& file) {
  struct stat now;
  if (status_of(image.text(file.path), now) != 0) return file.bytes < 0;
  return (S_ISDIR(now.st_mode) ? 0 : now.st_size) == file.bytes &&
         now.st_mtim.tv_sec == file.seconds && now.st_mtim.tv_nsec == file.nanoseconds;
}

bool has_own_packages(const Caller& caller, const Image& image) {
  if (image.header().user_packages == 0) return false;
  const char* home = caller.variable("HOME=");
  if (home == nullptr) home = "/root";
  char path[512];
  std::size_t n = 0;
  for (const char* part : {home, image.text(image.header().user_packages)})
    for (; *part != 0; ++part) {
      if (n + 1 == sizeof path) return true;
      path[n++] = *part;
    }
  path[n] = 0;
  struct stat found;
  return status_of(path, found) == 0;
}

bool fits(const Caller& caller, const Image& image, std::uint64_t stack) {
  const ImageHeader& header = image.header();
  if (header.stack.address + header.stack.bytes + kOwnStack > stack) return false;
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    if (call(__NR_fcntl, descriptor, F_GETFD) < 0) return false;
  const auto* files = image.table<CheckedFile>(header.files);
  for (std::uint64_t i = 0; i < header.file_count; ++i)
    if (!is_unchanged(image, files[i])) return false;
  return !has_own_packages(caller, image);
}

// The image's file has a high number, since the low ones are those of the open files.
long move_up(long file) {
  constexpr int kHigh = 200;
  const long moved = call(__NR_fcntl, file, F_DUPFD_CLOEXEC, kHigh);
  call(__NR_close, file);
  return moved;
}

bool open_files(const Image& image) {
  const auto* files = image.table<OpenFile>(image.header().open_files);
  char skipped[warm::kMostRead];
  for (std::uint64_t i = 0; i < image.header().open_file_count; ++i) {
    const OpenFile& file = files[i];
    if (call(__NR_fcntl, file.number, F_GETFD) >= 0) return false;
    const long opened = call(__NR_open, address(image.text(file.path)), file.flags);
    if (opened < 0) return false;
    if (opened != file.number) {
      call(__NR_dup3, opened, file.number, file.flags & O_CLOEXEC);
      call(__NR_close, opened);
    }
    if (file.position > 0 &&
        call(__NR_read, file.number, address(skipped), static_cast<long>(file.position)) < 0)
      return false;
  }
  return true;
}

bool map_segments(const Image& image) {
  const auto* segments = image.table<Segment>(image.header().segments);
  for (std::uint64_t i = 0; i < image.header().segment_count; ++i) {
    const Segment& segment = segments[i];
    const auto at = static_cast<long>(segment.address);
    const int writable = segment.has_stack_pointers ? PROT_WRITE : 0;
    if (call(__NR_mmap, at, static_cast<long>(segment.bytes), segment.protection | writable,
             MAP_PRIVATE | MAP_FIXED_NOREPLACE | MAP_NORESERVE, image.file(),
             static_cast<long>(segment.offset)) != at)
      return false;
  }
  return true;
}

std::uint64_t address_of(StackPlace place, const Caller& caller) {
  switch (place) {
    case StackPlace::kCount:
      return reinterpret_cast<std::uint64_t>(caller.arguments - 1);
    case StackPlace::kArguments:
      return reinterpret_cast<std::uint64_t>(caller.arguments);
    case StackPlace::kEnvironment:
      return reinterpret_cast<std::uint64_t>(caller.environment);
    case StackPlace::kAuxiliary:
      return reinterpret_cast<std::uint64_t>(caller.auxiliary);
    case StackPlace::kName:
      return reinterpret_cast<std::uint64_t>(caller.arguments[0]);
    case StackPlace::kShortName:
      return reinterpret_cast<std::uint64_t>(behind_last_slash(caller.arguments[0]));
    case StackPlace::kRandom:
      return caller.auxiliary_value(kRandom);
    case StackPlace::kPlatform:
      return caller.auxiliary_value(kPlatform);
  }
  return 0;
}

// A program at its entry point knows the stack that the kernel made for it.
void give_stack(const Caller& caller, const Image& image) {
  const ImageHeader& header = image.header();
  if (header.entry == 0) return;
  caller.set_auxiliary_value(kProgramHeaders, header.program_headers);
  caller.set_auxiliary_value(kProgramHeaderCount, header.program_header_count);
  caller.set_auxiliary_value(kLinker, header.linker);
  caller.set_auxiliary_value(kEntry, header.entry);
  const auto* pointers = image.table<StackPointer>(header.stack_pointers);
  for (std::uint64_t i = 0; i < header.stack_pointer_count; ++i)
    *reinterpret_cast<std::uint64_t*>(pointers[i].address) = address_of(pointers[i].place, caller);
  const auto* segments = image.table<Segment>(header.segments);
  for (std::uint64_t i = 0; i < header.segment_count; ++i)
    if (segments[i].has_stack_pointers)
      call(__NR_mprotect, static_cast<long>(segments[i].address),
           static_cast<long>(segments[i].bytes), segments[i].protection);
}

// Where the image's libc knows the vDSO's functions: jumps to this process's vDSO.
bool forward_vdso(const Caller& caller, const ImageHeader& header) {
  const std::uint64_t vdso = caller.auxiliary_value(kVdsoAddress);
  const auto at = static_cast<long>(header.vdso), bytes = static_cast<long>(header.vdso_bytes);
  if (vdso == 0 || call(__NR_mmap, at, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != at)
    return false;
  for (std::uint32_t i = 0; i < header.functions; ++i) {
    const std::uint64_t target = vdso + header.function_offsets[i];
    auto* code = reinterpret_cast<unsigned char*>(header.vdso + header.function_offsets[i]);
    *code++ = 0x49;  // movabs r11, target
    *code++ = 0xbb;
    for (int byte = 0; byte < 8; ++byte) *code++ = static_cast<unsigned char>(target >> 8 * byte);
    *code++ = 0x41;  // jmp r11
    *code++ = 0xff;
    *code++ = 0xe3;
  }
  return call(__NR_mprotect, at, bytes, PROT_READ | PROT_EXEC) == 0;
}

bool restore_stack(const Image& image) {
  const Segment& stack = image.header().stack;
  return call(__NR_pread64, image.file(), static_cast<long>(stack.address),
              static_cast<long>(stack.bytes),
              static_cast<long>(stack.offset)) == static_cast<long>(stack.bytes);
}

// /proc/PID/cmdline shows what it would show if the kernel had started the interpreter.
std::uint64_t place_interpreter(const Caller& caller, const char* interpreter) {
  char* const program = caller.arguments[1];
  const std::size_t room = static_cast<std::size_t>(program - caller.arguments[0]);
  const std::size_t needed = length(interpreter) + 1;
  if (needed > room) return reinterpret_cast<std::uint64_t>(program);
  for (std::size_t i = 0; i < needed; ++i) program[i - needed] = interpreter[i];
  return reinterpret_cast<std::uint64_t>(program - needed);
}

void show_process(const Caller& caller, const Image& image) {
  const ImageHeader& header = image.header();
  char* const last_argument = caller.arguments[caller.count - 1];
  char* last_variable = last_argument;
  for (char** at = caller.environment; *at != nullptr; ++at) last_variable = *at;
  prctl_mm_map map{};
  map.start_code = header.code_start;
  map.end_code = header.code_end;
  map.start_data = header.data_start;
  map.end_data = header.data_end;
  map.start_brk = header.heap_start;
  map.brk = header.heap_end;
  map.start_stack = header.stack_start;
  map.arg_start = header.interpreter == 0
                      ? reinterpret_cast<std::uint64_t>(caller.arguments[0])
                      : place_interpreter(caller, image.text(header.interpreter));
  map.arg_end = reinterpret_cast<std::uint64_t>(last_argument + length(last_argument) + 1);
  map.env_start = map.arg_end;
  map.env_end = last_variable == last_argument
                    ? map.arg_end
                    : reinterpret_cast<std::uint64_t>(last_variable + length(last_variable) + 1);
  map.exe_fd = ~0U;
  call(__NR_prctl, PR_SET_MM, PR_SET_MM_MAP, address(&map), sizeof map, 0);
}

// Process numbers that the start of the program would have used.
void use_numbers(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    long child = __NR_vfork;
    asm volatile("syscall" : "+a"(child) : : "rcx", "r11", "memory");
    if (child == 0)
      for (;;) call(__NR_exit, 0);
    if (child > 0) call(__NR_wait4, child, 0, 0, 0);
  }
}

// Random numbers that the start of the program would have drawn.
void draw(const Image& image) {
  const auto* draws = image.table<warm::Draw>(image.header().draws);
  for (std::uint64_t i = 0; i < image.header().draw_count; ++i) {
    timespec ignored;
    call(__NR_clock_gettime, kSkipClock | static_cast<int>(draws[i].what << 24 | draws[i].amount),
         address(&ignored));
  }
}

[[noreturn]] void go_on(const Registers& at) {
  asm volatile(
      "mov %c[rbx](%%rcx), %%rbx\n mov %c[rbp](%%rcx), %%rbp\n"
      "mov %c[r12](%%rcx), %%r12\n mov %c[r13](%%rcx), %%r13\n"
      "mov %c[r14](%%rcx), %%r14\n mov %c[r15](%%rcx), %%r15\n"
      "mov %c[rsp](%%rcx), %%rsp\n mov %c[rip](%%rcx), %%r11\n"
      "mov %c[rdx](%%rcx), %%rdx\n"
      "xor %%eax, %%eax\n jmp *%%r11"
      :
      : "c"(&at), [rbx] "i"(offsetof(Registers, rbx)), [rbp] "i"(offsetof(Registers, rbp)),
        [r12] "i"(offsetof(Registers, r12)), [r13] "i"(offsetof(Registers, r13)),
        [r14] "i"(offsetof(Registers, r14)), [r15] "i"(offsetof(Registers, r15)),
        [rsp] "i"(offsetof(Registers, rsp)), [rip] "i"(offsetof(Registers, rip)),
        [rdx] "i"(offsetof(Registers, rdx)));
  __builtin_unreachable();
}

// The image's stack is where the kernel puts one without randomization, which lockstep turns off.
void begin_without_randomization(const Caller& caller) {
  const long now = call(__NR_personality, 0xffffffff);
  if ((now & ADDR_NO_RANDOMIZE) != 0) return;
  call(__NR_personality, now | ADDR_NO_RANDOMIZE);
  call(__NR_execve, static_cast<long>(caller.auxiliary_value(kProgramPath)),
       address(caller.arguments), address(caller.environment));
}

// Returns if the program must start as usual.
void continue_image(const Caller& caller, const char* program, long* stack) {
  const long given = call(__NR_clock_gettime, kClockOfImage, address(program));
  const long file = given < 0 ? given : move_up(given);
  if (file < 0) return;
  ImageHeader first;
  if (call(__NR_pread64, file, address(&first), sizeof first, 0) != sizeof first ||
      first.magic != warm::kImageMagic)
    return;
  const long mapped =
      call(__NR_mmap, 0, static_cast<long>(first.bytes), PROT_READ, MAP_PRIVATE, file, 0);
  if (mapped < 0 && mapped > -4096) return;
  const Image image(static_cast<int>(file), reinterpret_cast<const ImageHeader*>(mapped));
  const ImageHeader& header = image.header();
  if (!fits(caller, image, reinterpret_cast<std::uint64_t>(stack)) || !map_segments(image) ||
      !forward_vdso(caller, header) || !restore_stack(image))
    return;
  if (!open_files(image)) return;
  give_stack(caller, image);
  show_process(caller, image);
  Registers registers = header.registers;
  if (header.entry != 0) registers.rsp = reinterpret_cast<std::uint64_t>(caller.arguments - 1);
  const std::uint64_t robust_list = header.robust_list, children = header.children;
  auto* number = reinterpret_cast<std::int32_t*>(header.task_number);
  // The supervisor sees a new program here, as if the kernel had started it.
  call(__NR_arch_prctl, ARCH_SET_FS, static_cast<long>(registers.thread_pointer));
  *number = static_cast<std::int32_t>(call(__NR_set_tid_address, address(number)));
  call(__NR_set_robust_list, static_cast<long>(robust_list), 24);
  draw(image);
  use_numbers(children);
  call(__NR_close, file);
  call(__NR_munmap, mapped, static_cast<long>(first.bytes));
  go_on(registers);
}

// Starts the next program of this name on a guest's PATH.
void start_program(const Caller& caller, const char* name, long* stack) {
  for (const char* folder : {"/var/lib/spotsim/bin/", "/usr/local/sbin/", "/usr/local/bin/",
                             "/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"}) {
    char path[64];
    std::size_t n = 0;
    for (const char* part : {folder, name})
      for (; *part != 0 && n + 1 < sizeof path; ++part) path[n++] = *part;
    path[n] = 0;
    constexpr long kMayExecute = 1;
    if (call(__NR_access, address(path), kMayExecute) != 0) continue;
    if (caller.count > 0 && caller.auxiliary_value(kSecure) == 0)
      continue_image(caller, path, stack);
    call(__NR_execve, address(path), address(caller.arguments), address(caller.environment));
  }
}

}  // namespace

extern "C" [[noreturn, gnu::used]] void start(long* stack) {
  const Caller caller(stack);
  const char* const name =
      behind_last_slash(reinterpret_cast<const char*>(caller.auxiliary_value(kProgramPath)));
  if (!begins(name, "aws") || length(name) != 3) {
    start_program(caller, name, stack);
  } else if (caller.count > 1) {
    begin_without_randomization(caller);
    continue_image(caller, caller.arguments[1], stack);
    call(__NR_execve, address(caller.arguments[1]), address(caller.arguments + 1),
         address(caller.environment));
  }
  for (;;) call(__NR_exit_group, 127);
}

asm(R"(
  .globl _start
_start:
  mov %rsp, %rdi
  and $-16, %rsp
  call start
)");

// The compiler may call these.
extern "C" void* memset(void* to, int value, std::size_t bytes) {
  auto* at = static_cast<volatile unsigned char*>(to);
  while (bytes-- > 0) *at++ = static_cast<unsigned char>(value);
  return to;
}
extern "C" void* memcpy(void* to, const void* from, std::size_t bytes) {
  auto* at = static_cast<volatile unsigned char*>(to);
  const auto* source = static_cast<const unsigned char*>(from);
  while (bytes-- > 0) *at++ = *source++;
  return to;
}
