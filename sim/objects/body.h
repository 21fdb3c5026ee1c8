// Bytes of any length: short ones in memory, long ones in an unnamed file. So an object of any size
// costs little memory, and no file remains after any end of the process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"

namespace sim::objects {

// Bytes that never change.
class Blob {
 public:
  explicit Blob(std::string bytes) : size_(bytes.size()), bytes_(std::move(bytes)) {}
  // A body without content: only its number of bytes counts, and they read as zeros.
  struct Modelled {
    std::uint64_t size = 0;
  };
  explicit Blob(Modelled modelled) : size_(modelled.size), modelled_(true) {}
  // A part of a file; its space is freed when the blob is destroyed.
  Blob(std::shared_ptr<const base::FileDescriptor> file, std::uint64_t place, std::uint64_t size)
      : size_(size), file_(std::move(file)), place_(place) {}
  ~Blob();
  Blob(const Blob&) = delete;
  Blob& operator=(const Blob&) = delete;

  std::uint64_t size() const { return size_; }
  bool modelled() const { return modelled_; }
  // Fills `part` with the bytes from `at` on. Returns false if they do not exist.
  bool read(std::uint64_t at, std::span<char> part) const;

 private:
  std::uint64_t size_;
  bool modelled_ = false;
  std::string bytes_;
  std::shared_ptr<const base::FileDescriptor> file_;  // null: in memory
  std::uint64_t place_ = 0;
};

// A sequence of blobs. Copies share them.
class Body {
 public:
  Body() = default;
  explicit Body(std::shared_ptr<const Blob> blob) { append(std::move(blob)); }
  void append(std::shared_ptr<const Blob> blob);
  void append(const Body& other);
  std::uint64_t size() const { return size_; }
  bool modelled() const;  // at least one part is modelled
  bool read(std::uint64_t at, std::span<char> part) const;
  // `count` bytes from `first` on; the body must be long enough.
  Body slice(std::uint64_t first, std::uint64_t count) const;

 private:
  struct Piece {
    std::uint64_t at;           // position of its first byte
    std::uint64_t from, count;  // in the blob
    std::shared_ptr<const Blob> blob;
  };
  void append(const Piece& piece);

  std::vector<Piece> pieces_;
  std::uint64_t size_ = 0;
};

// Calls the function for all bytes in order. Throws ApiError InternalError if they cannot be read.
void each_part(const Body& body, const std::function<void(std::span<const char>)>& take);

// The input of digests: all bytes in order or, if some are modelled, the number of bytes as text.
void each_summed(const Body& body, const std::function<void(std::span<const char>)>& take);

// Receives bytes. The file is in the temporary folder and is made when it is first needed.
class BodyFile {
 public:
  // Up to 64 KiB stay in memory. Throws std::system_error.
  std::shared_ptr<const Blob> keep(std::span<const char> bytes);

 private:
  std::shared_ptr<const base::FileDescriptor> file_;
  std::uint64_t end_ = 0;
};

}  // namespace sim::objects
