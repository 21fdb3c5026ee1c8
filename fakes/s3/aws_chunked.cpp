#include "fakes/s3/aws_chunked.h"

#include <algorithm>
#include <charconv>

#include "base/text/lower_case.h"

namespace fakes::s3 {
namespace {

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostTrailers = 16;

}  // namespace

bool AwsChunked::end_line() {
  if (state_ == State::kEndOfBytes) {
    state_ = State::kSize;
    return line_.empty();
  }
  if (state_ == State::kTrailers) {
    const auto colon = line_.find(':');
    if (colon == line_.npos) return line_.empty();
    if (trailers_.size() == kMostTrailers) return false;
    const auto value = line_.find_first_not_of(' ', colon + 1);
    trailers_.emplace_back(base::lower_case(line_.substr(0, colon)),
                           value == line_.npos ? "" : line_.substr(value));
    return true;
  }
  const std::string_view line = line_;
  const auto semicolon = std::min(line.find(';'), line.size());
  const std::string_view size = line.substr(0, semicolon);
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), left_, 16);
  if (error != std::errc() || end != size.data() + size.size()) return false;
  if (begin_) begin_(line.substr(std::min(semicolon + 1, line.size())));
  state_ = left_ == 0 ? State::kTrailers : State::kBytes;
  return true;
}

bool AwsChunked::update(std::string_view part) {
  while (!part.empty()) {
    if (state_ == State::kBytes) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, part.size()));
      take_(part.substr(0, n));
      part.remove_prefix(n);
      if ((left_ -= n) == 0) state_ = State::kEndOfBytes;
      continue;
    }
    const auto end = part.find('\n');
    line_ += part.substr(0, end);
    if (line_.size() > kLongestLine) return false;
    if (end == part.npos) return true;
    part.remove_prefix(end + 1);
    if (line_.ends_with('\r')) line_.pop_back();
    if (!end_line()) return false;
    line_.clear();
  }
  return true;
}

}  // namespace fakes::s3
