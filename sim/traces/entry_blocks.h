// A large JSON document whose text is nearly all one array of objects, cut into blocks between two
// of them: its text need not be in memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>

#include "sim/traces/trace_file.h"

namespace sim::market {

struct EntryBlock {
  std::size_t index = 0;
  bool last = false;
  std::string text;
};

// What a block's text has so that it is a document itself: before its first entry, but for the
// first block; after its last, but for the last block; and room in its buffer.
struct EntryFrame {
  std::string_view open, close;
  std::size_t padding;
};

// May be asked by several threads at once.
class EntryBlocks {
 public:
  // Blocks of about `size` bytes, longer where no "}, {" is. It may be in a string or in another
  // array, so the blocks must be looked at for what they are. The file may be there with its
  // beginning only (TraceFile::size), and must outlive this.
  EntryBlocks(const TraceFile& file, const EntryFrame& frame, std::size_t size);

  // False when there is none left. Throws TraceError when the file has become shorter.
  bool next(EntryBlock& block);
  // There are none left from now on.
  void stop();

 private:
  void append(std::string& text, std::size_t size);

  const TraceFile& file_;
  const EntryFrame frame_;
  const std::size_t size_;
  std::uintmax_t left_;  // bytes that were not read
  std::size_t next_ = 0;
  std::ifstream in_;
  std::string begun_;  // the beginning of the next block, which was read with the last
  std::mutex mutex_;
};

}  // namespace sim::market
