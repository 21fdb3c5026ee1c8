#include "sim/objects/body.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/process/system_call.h"
#include "sim/cloud/error.h"

namespace sim::objects {
namespace {

constexpr std::size_t kShort = 64 * 1024;

std::shared_ptr<const base::FileDescriptor> nameless_file() {
  const std::string place = std::filesystem::temp_directory_path();
  int file = open(place.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {  // not every file system has such files
    std::string name = place + "/spotsim-objects-XXXXXX";
    file = base::checked(mkostemp(name.data(), O_CLOEXEC), "making a temporary file in " + place);
    unlink(name.c_str());
  }
  return std::make_shared<base::FileDescriptor>(file);
}

}  // namespace

Blob::~Blob() {
  // If the file system cannot do this, the space is freed with the file.
  if (file_)
    fallocate(file_->get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(place_),
              static_cast<off_t>(size_));
}

bool Blob::read(std::uint64_t at, std::span<char> part) const {
  if (at > size_ || part.size() > size_ - at) return false;
  if (modelled_) {
    std::ranges::fill(part, '\0');
    return true;
  }
  if (!file_) {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at), part.size(), part.begin());
    return true;
  }
  while (!part.empty()) {
    const ssize_t n =
        pread(file_->get(), part.data(), part.size(), static_cast<off_t>(place_ + at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    part = part.subspan(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
  return true;
}

void Body::append(std::shared_ptr<const Blob> blob) {
  const std::uint64_t count = blob->size();
  append({.at = 0, .from = 0, .count = count, .blob = std::move(blob)});
}

void Body::append(const Body& other) {
  for (const Piece& piece : other.pieces_) append(piece);
}

void Body::append(const Piece& piece) {
  if (piece.count == 0) return;
  pieces_.push_back(piece);
  pieces_.back().at = size_;
  size_ += piece.count;
}

bool Body::read(std::uint64_t at, std::span<char> part) const {
  if (at > size_ || part.size() > size_ - at) return false;
  auto piece = std::ranges::upper_bound(pieces_, at, {}, &Piece::at);
  if (piece != pieces_.begin()) --piece;
  for (; !part.empty(); ++piece) {
    const std::uint64_t within = at - piece->at;
    const auto n =
        static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), piece->count - within));
    if (!piece->blob->read(piece->from + within, part.first(n))) return false;
    part = part.subspan(n);
    at += n;
  }
  return true;
}

Body Body::slice(std::uint64_t first, std::uint64_t count) const {
  Body out;
  for (const Piece& piece : pieces_) {
    const std::uint64_t begin = std::max(piece.at, first),
                        end = std::min(piece.at + piece.count, first + count);
    if (begin < end)
      out.append({.at = 0,
                  .from = piece.from + (begin - piece.at),
                  .count = end - begin,
                  .blob = piece.blob});
  }
  return out;
}

void each_part(const Body& body, const std::function<void(std::span<const char>)>& take) {
  std::vector<char> part(std::min<std::uint64_t>(body.size(), 256 * 1024));
  for (std::uint64_t at = 0; at < body.size(); at += part.size()) {
    part.resize(std::min<std::uint64_t>(part.size(), body.size() - at));
    if (!body.read(at, part))
      throw cloud::ApiError("InternalError", "We encountered an internal error.", 500);
    take(part);
  }
}

bool Body::modelled() const {
  return std::ranges::any_of(pieces_, [](const Piece& piece) { return piece.blob->modelled(); });
}

void each_summed(const Body& body, const std::function<void(std::span<const char>)>& take) {
  if (!body.modelled()) return each_part(body, take);
  take(std::to_string(body.size()) + " modelled bytes");
}

std::shared_ptr<const Blob> BodyFile::keep(std::span<const char> bytes) {
  if (bytes.size() <= kShort)
    return std::make_shared<Blob>(std::string(bytes.begin(), bytes.end()));
  if (!file_) file_ = nameless_file();
  const std::uint64_t place = end_;
  for (std::size_t done = 0; done < bytes.size();)
    done += static_cast<std::size_t>(
        base::checked(pwrite(file_->get(), bytes.data() + done, bytes.size() - done,
                             static_cast<off_t>(place + done)),
                      "writing an object's bytes"));
  end_ += bytes.size();
  return std::make_shared<Blob>(file_, place, bytes.size());
}

}  // namespace sim::objects
