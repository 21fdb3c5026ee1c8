// Bodies in chunks of their own within HTTP's, as SDKs send what they cannot sign beforehand:
// "SIZE;chunk-signature=…\r\n" BYTES "\r\n", in the end a chunk of size 0 and trailing headers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fakes::s3 {

// Takes the coded bytes in parts of any length.
class AwsChunked {
 public:
  using Take = std::function<void(std::span<const char>)>;
  explicit AwsChunked(Take take) : take_(std::move(take)) {}

  // False where this is no such body.
  bool update(std::string_view part);
  // Whether the last chunk has come.
  bool done() const { return state_ == State::kTrailers; }
  // By name in lower case; what has no line end yet is not among them.
  const std::vector<std::pair<std::string, std::string>>& trailers() const { return trailers_; }

 private:
  enum class State { kSize, kBytes, kEndOfBytes, kTrailers };
  bool end_line();

  Take take_;
  State state_ = State::kSize;
  std::string line_;
  std::uint64_t left_ = 0;  // of a chunk's bytes
  std::vector<std::pair<std::string, std::string>> trailers_;
};

}  // namespace fakes::s3
