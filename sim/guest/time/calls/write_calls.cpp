// Calls that write to a file whose n-th byte triggers a power cut.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <vector>

#include "sim/guest/time/calls/trapped_calls.h"

namespace sim::guest::calls {
namespace {

bool has_position(int number) {
  return number == SYS_pwrite64 || number == SYS_pwritev || number == SYS_pwritev2;
}

// The places of the bytes in the guest's memory; empty for an invalid call.
std::vector<iovec> pieces_of(const TrappedCall& call) {
  if (call.number() == SYS_write || call.number() == SYS_pwrite64)
    return {{reinterpret_cast<void*>(call.argument(1)), call.argument(2)}};
  const int count = call.integer(2);
  if (count < 0 || count > IOV_MAX) return {};
  std::vector<iovec> pieces(static_cast<std::size_t>(count));
  if (!read_memory(call.tid(), call.argument(1), pieces.data(), pieces.size() * sizeof(iovec)))
    return {};
  return pieces;
}

// The file's byte that the call writes first; negative when it is no regular file.
off_t begin_of(const TrappedCall& call, int file) {
  struct stat as {};
  if (fstat(file, &as) != 0 || !S_ISREG(as.st_mode)) return -1;
  if ((fcntl(file, F_GETFL) & O_APPEND) != 0) return as.st_size;
  const auto position = static_cast<off_t>(call.argument(3));
  if (has_position(call.number()) && position >= 0) return position;
  return lseek(file, 0, SEEK_CUR);
}

// Writes the first bytes of the call's.
void write_first(const TrappedCall& call, int file, const std::vector<iovec>& pieces, off_t at,
                 std::int64_t bytes) {
  std::vector<char> buffer(std::size_t{1} << 20);
  for (const iovec& piece : pieces) {
    auto address = reinterpret_cast<std::uint64_t>(piece.iov_base);
    auto left = std::min<std::int64_t>(bytes, static_cast<std::int64_t>(piece.iov_len));
    bytes -= left;
    while (left > 0) {
      const std::size_t part = std::min<std::size_t>(buffer.size(), static_cast<std::size_t>(left));
      if (!read_memory(call.tid(), address, buffer.data(), part)) return;
      const ssize_t written = pwrite(file, buffer.data(), part, at);  // O_APPEND appends
      if (written <= 0) return;
      address += static_cast<std::uint64_t>(written);
      at += written;
      left -= written;
    }
  }
}

}  // namespace

void write(TrappedCall& call) {
  const auto cut = call.world.hooks->write(call.guest.token, call.tid(), call.integer(0));
  if (!cut) return call.go_on();
  const base::FileDescriptor process = open_process(call.process());
  const base::FileDescriptor file = duplicate(process.get(), call.integer(0));
  const off_t begin = file ? begin_of(call, file.get()) : -1;
  const std::vector<iovec> pieces = pieces_of(call);
  std::int64_t length = 0;
  for (const iovec& piece : pieces) length += static_cast<std::int64_t>(piece.iov_len);
  if (begin < 0 || length == 0 || begin + length < cut->bytes) return call.go_on();
  write_first(call, file.get(), pieces, begin, std::max<std::int64_t>(cut->bytes - begin, 0));
  cut->then();
}

}  // namespace sim::guest::calls
