// Decodes the content encoding "aws-chunked": a body in chunks of its own inside HTTP's transfer
// encoding. SDKs use this encoding if they cannot sign or checksum a body in advance. The format is
// "SIZE;chunk-signature=…\r\n" BYTES "\r\n" for each chunk, then a chunk of size 0 and trailing
// headers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fakes::s3 {

// Accepts the encoded bytes in pieces of any length, and passes the decoded bytes to `take`.
class AwsChunked {
 public:
  using Take = std::function<void(std::span<const char>)>;
  // Gets the parameters of each chunk before its bytes, such as "chunk-signature=…".
  using Begin = std::function<void(std::string_view)>;
  explicit AwsChunked(Take take, Begin begin = {})
      : take_(std::move(take)), begin_(std::move(begin)) {}

  // Returns false if the bytes are not a valid aws-chunked body.
  bool update(std::string_view part);
  // Whether the last chunk has come.
  bool done() const { return state_ == State::kTrailers; }
  // The trailing headers, with names in lower case. A line without an end is not included.
  const std::vector<std::pair<std::string, std::string>>& trailers() const { return trailers_; }

 private:
  enum class State { kSize, kBytes, kEndOfBytes, kTrailers };
  bool end_line();

  Take take_;
  Begin begin_;
  State state_ = State::kSize;
  std::string line_;
  std::uint64_t left_ = 0;  // of a chunk's bytes
  std::vector<std::pair<std::string, std::string>> trailers_;
};

}  // namespace fakes::s3
