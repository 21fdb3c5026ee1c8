// Options of AddressSanitizer in the programs of the sanitizer build.
//
// A guest's first process is a fork of the simulator. When AddressSanitizer gives memory back to
// the kernel there, it reads the clock, and a guest pays virtual time for each read. Whether it
// gives memory back depends on how much the simulator had freed before, so the same test would give
// other logs. With an interval of -1 it keeps the memory and reads no clock.
extern "C" const char* __asan_default_options() { return "allocator_release_to_os_interval_ms=-1"; }
