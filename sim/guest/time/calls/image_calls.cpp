// What a new program image does: its first call, upon which its vDSO is patched and the random
// bytes that the kernel gave it are replaced, and its randomness.
#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/guest/time/architecture.h"
#include "sim/guest/time/calls/trapped_calls.h"
#include "sim/guest/time/leased_clock.h"

namespace sim::guest::calls {
namespace {

using Code = std::span<const unsigned char>;

struct EntryPoint {
  std::uint64_t offset, size;
  Code call;  // by which the supervisor is asked
};

// The entry points' places in our own vDSO, which is the same image in every 64-bit process.
std::vector<EntryPoint> find_entry_points() {
  const std::uint64_t base = getauxval(AT_SYSINFO_EHDR);
  if (base == 0) return {};
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(base);
  const auto* segment = reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
  const Elf64_Dyn* dynamic = nullptr;
  for (int i = 0; i < header->e_phnum; ++i)
    if (segment[i].p_type == PT_DYNAMIC)
      dynamic = reinterpret_cast<const Elf64_Dyn*>(base + segment[i].p_offset);
  const char* symbols = nullptr;
  const char* strings = nullptr;
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    const auto* at = reinterpret_cast<const char*>(base + dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_SYMTAB) symbols = at;
    if (dynamic->d_tag == DT_STRTAB) strings = at;
  }
  std::vector<EntryPoint> found;
  std::set<std::uint64_t> seen;
  if (symbols == nullptr || strings == nullptr) return {};
  // The string table follows the symbol table in every vDSO; its start ends the symbols.
  for (const char* at = symbols; at < strings; at += sizeof(Elf64_Sym)) {
    const auto* symbol = reinterpret_cast<const Elf64_Sym*>(at);
    for (const VdsoReplacement& replacement : kVdsoReplacements)
      if (replacement.symbol == strings + symbol->st_name && seen.insert(symbol->st_value).second)
        found.push_back({symbol->st_value, symbol->st_size, replacement.code});
  }
  return found;
}

const std::vector<EntryPoint>& entry_points() {
  static const std::vector<EntryPoint> found = find_entry_points();
  return found;
}

// The clock's entry point, if it has room for the code that reads a lent clock.
const EntryPoint* leased_clock() {
  for (const EntryPoint& entry : entry_points())
    if (entry.call.data() == kVdsoReplacements[0].code.data())
      return entry.size >= leased_clock_code().size() ? &entry : nullptr;
  return nullptr;
}

// Addresses in an image that the kernel passes to it; 0: none.
struct ImageAddresses {
  std::uint64_t vdso = 0, random = 0;
};

ImageAddresses addresses_of(const std::string& proc) {
  ImageAddresses out;
  const base::FileDescriptor file(open((proc + "/auxv").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return out;
  Elf64_auxv_t entries[64];
  const ssize_t n = read(file.get(), entries, sizeof entries);
  for (ssize_t i = 0; i < n / static_cast<ssize_t>(sizeof entries[0]); ++i)
    if (entries[i].a_type == AT_SYSINFO_EHDR)
      out.vdso = entries[i].a_un.a_val;
    else if (entries[i].a_type == AT_RANDOM)
      out.random = entries[i].a_un.a_val;
  return out;
}

// Writes to the image of a stopped task through /proc/TID/mem. The kernel copies the vDSO's page
// for that image; a fork inherits the copy, an exec needs a new patch.
class ImageWriter {
 public:
  explicit ImageWriter(pid_t tid)
      : proc_("/proc/" + std::to_string(tid)), addresses_(addresses_of(proc_)) {
    if (addresses_.vdso != 0)
      memory_ = base::FileDescriptor(open((proc_ + "/mem").c_str(), O_RDWR | O_CLOEXEC));
  }
  // False when the task died or may not be written to.
  bool write(const EntryPoint& entry, Code code) const {
    return memory_ && pwrite(memory_.get(), code.data(), code.size(),
                             static_cast<off_t>(addresses_.vdso + entry.offset)) ==
                          static_cast<ssize_t>(code.size());
  }
  // The 16 bytes from which libc makes its stack guard and Go its hashes and the order of its maps.
  void write_random(Stream& stream) const {
    const std::array<std::uint64_t, 2> bytes{stream.next(), stream.next()};
    if (memory_ && addresses_.random != 0)
      static_cast<void>(!pwrite(memory_.get(), bytes.data(), sizeof bytes,
                                static_cast<off_t>(addresses_.random)));
  }

 private:
  const std::string proc_;
  const ImageAddresses addresses_;
  base::FileDescriptor memory_;
};

bool patch_vdso(const ImageWriter& image, bool lockstep) {
  const EntryPoint* const leased = lockstep ? leased_clock() : nullptr;
  return std::ranges::all_of(entry_points(), [&](const EntryPoint& entry) {
    return image.write(entry, &entry == leased ? leased_clock_code() : entry.call);
  });
}

}  // namespace

void new_image(TrappedCall& call) {
  call.guest.timers.new_image(call.process());
  // A task that may not be patched (it died, or is another user's set-user-ID program) keeps its
  // vDSO, and so the real clock, and its random bytes.
  const ImageWriter image(call.tid());
  patch_vdso(image, call.world.options.lockstep);
  image.write_random(call.guest.random.images);
  call.world.hooks->took(call.guest.token, {Taken::kImages, 1});
  call.go_on();
}

void read_lease_page(const TrappedCall& call) {
  if (const EntryPoint* const leased = leased_clock())
    ImageWriter(call.tid()).write(*leased, leased_clock_entry());
}

void getrandom(TrappedCall& call) {
  constexpr std::uint64_t most = 1 << 20;  // more is a short read, which getrandom may return
  std::vector<unsigned char> bytes(std::min(call.argument(1), most));
  std::uint64_t word = 0;
  call.world.hooks->took(call.guest.token,
                         {Taken::kBytes, static_cast<std::uint32_t>(bytes.size())});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 8 == 0) word = call.guest.random.bytes.next();
    bytes[i] = static_cast<unsigned char>(word >> i % 8 * 8);
  }
  if (!call.write_bytes(call.argument(0), bytes.data(), bytes.size())) return call.fail(EFAULT);
  call.answer(static_cast<std::int64_t>(bytes.size()));
}

// From now on kernel threads may wake this guest's tasks: they deliver a terminal's lines and
// completions of asynchronous input and output. They run beside or after the supervisor.
void leave_lockstep(TrappedCall& call) {
  call.guest.takes_two_looks = true;
  call.go_on();
}

}  // namespace sim::guest::calls
