#include "sim/traces/entry_blocks.h"

#include <algorithm>
#include <optional>

namespace sim::traces {
namespace {

// The place of the last "}, {" in a text: the end of one entry and the begin of the next.
struct Cut {
  std::size_t end, begin;
};
std::optional<Cut> last_cut(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  for (std::size_t begin = text.rfind('{'); begin != std::string_view::npos && begin > 0;
       begin = text.rfind('{', begin - 1)) {
    const std::size_t comma = text.find_last_not_of(kBlanks, begin - 1);
    if (comma == std::string_view::npos || comma == 0 || text[comma] != ',') continue;
    const std::size_t brace = text.find_last_not_of(kBlanks, comma - 1);
    if (brace != std::string_view::npos && text[brace] == '}') return Cut{brace + 1, begin};
  }
  return {};
}

}  // namespace

EntryBlocks::EntryBlocks(const TraceFile& file, const EntryFrame& frame, std::size_t size)
    : file_(file), frame_(frame), size_(size), left_(file.size > 0 ? file.size : file.text.size()) {
  if (file.size > 0) in_.open(file.path, std::ios::binary);
}

bool EntryBlocks::next(EntryBlock& block) {
  const std::scoped_lock lock(mutex_);
  if (left_ == 0) return false;
  block.index = next_++;
  block.text = block.index > 0 ? frame_.open : "";
  block.text += begun_;
  for (std::size_t size = size_;; size *= 2) {
    append(block.text, static_cast<std::size_t>(std::min<std::uintmax_t>(size, left_)));
    block.last = left_ == 0;
    if (block.last) break;
    if (const auto cut = last_cut(block.text)) {
      begun_.assign(block.text, cut->begin);
      block.text.resize(cut->end);
      block.text += frame_.close;
      break;
    }
  }
  block.text.reserve(block.text.size() + frame_.padding);
  return true;
}

void EntryBlocks::stop() {
  const std::scoped_lock lock(mutex_);
  left_ = 0;
}

void EntryBlocks::append(std::string& text, std::size_t size) {
  if (file_.size > 0) {
    text.resize(text.size() + size);
    if (!in_.read(text.data() + text.size() - size, static_cast<std::streamsize>(size)))
      throw TraceError(file_.path.string() + ": cannot be read completely");
  } else {
    text.append(file_.text, file_.text.size() - left_, size);
  }
  left_ -= size;
}

}  // namespace sim::traces
