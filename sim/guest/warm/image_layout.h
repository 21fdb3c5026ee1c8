// The layout of a memory image: a file with the memory of a process that has just started, and
// everything else that it needs to continue. The host writes the file (memory_image.h). The starter
// (start/start.cpp), which has no libraries, maps it into the process that called the starter.
#pragma once

#include <cstdint>

namespace sim::guest::warm {

constexpr std::uint64_t kImageMagic = 0x33474d49544f5053;
constexpr int kMostFunctions = 16;

// The registers with which the process continues, after a system call that has returned 0.
struct Registers {
  std::uint64_t rbx, rbp, r12, r13, r14, r15, rsp, rip, thread_pointer, rdx;
};

struct Segment {
  std::uint64_t address, bytes;
  std::uint64_t offset;  // in the file
  std::int32_t protection;
  bool has_stack_pointers = false;
};

// What the kernel puts on a new program's stack, from its beginning on.
enum class StackPlace : std::uint32_t {
  kCount,        // of the arguments
  kArguments,    // their addresses
  kEnvironment,  // the addresses of the variables
  kAuxiliary,    // the auxiliary vector
  kName,         // the text of argument 0
  kShortName,    // the same behind its last slash
  kRandom,       // AT_RANDOM
  kPlatform,     // AT_PLATFORM
};

// A pointer in the image's memory which the starter sets to a place on the caller's stack.
struct StackPointer {
  std::uint64_t address;
  StackPlace place;
};

// Random numbers that the start of the program draws (Taken in warm_calls.h).
struct Draw {
  std::uint32_t what, amount;
};

// A file that the process has read, or a folder in which it has searched for files. If it has
// changed, the program starts in the usual way.
struct CheckedFile {
  std::uint64_t path;                 // offset in the file
  std::int64_t bytes;                 // -1: it does not exist
  std::int64_t seconds, nanoseconds;  // last modification

  friend bool operator==(const CheckedFile&, const CheckedFile&) = default;
};

// A file that the process keeps open, such as /dev/urandom, and the number of bytes it has read.
struct OpenFile {
  std::uint64_t path;  // offset in the file
  std::uint64_t position;
  std::int32_t number, flags;
};
constexpr std::uint64_t kMostRead = 256;  // of an open file

// All offsets are from the beginning of the file. Texts end with a zero.
struct ImageHeader {
  std::uint64_t magic;
  std::uint64_t bytes;  // of the header with all tables and texts
  Registers registers;
  std::uint64_t task_number;       // address at which libc keeps the task's number
  std::uint64_t robust_list;       // address of the list of robust mutexes
  Segment stack;                   // copied, because the stack grows
  std::uint64_t vdso, vdso_bytes;  // address in the process
  std::uint32_t functions;         // of the vDSO
  std::uint32_t function_offsets[kMostFunctions];
  // What /proc shows about the process.
  std::uint64_t code_start, code_end, data_start, data_end, heap_start, heap_end, stack_start;
  std::uint64_t segments, segment_count;      // offset of a table
  std::uint64_t files, file_count;            // offset of a table
  std::uint64_t open_files, open_file_count;  // offset of a table
  std::uint64_t interpreter;                  // offset of its path; 0: none
  // Offset of a path below HOME that must not exist: the folder of a user's own packages.
  std::uint64_t user_packages;
  // The number of children that a new program would have started and waited for.
  std::uint64_t children;
  // Of a program at its entry point: it finds the stack of its caller. 0: it is a Python script.
  std::uint64_t entry;
  std::uint64_t program_headers, program_header_count, linker;  // auxiliary values
  std::uint64_t stack_pointers, stack_pointer_count;            // offset of a table
  std::uint64_t draws, draw_count;                              // offset of a table
};

}  // namespace sim::guest::warm
