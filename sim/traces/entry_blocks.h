// A large JSON document that is nearly all one array of objects, cut into blocks between two
// objects. So the whole text need not be in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>

#include "sim/traces/trace_file.h"

namespace sim::traces {

struct EntryBlock {
  std::size_t index = 0;
  bool last = false;
  std::string text;
};

// The texts that make a block a document: one before its first entry, except in the first block,
// and one after its last entry, except in the last block. And the free space in its buffer.
struct EntryFrame {
  std::string_view open, close;
  std::size_t padding;
};

// Hands out the blocks of one document. Several threads may call it at once.
class EntryBlocks {
 public:
  // Blocks of about `size` bytes, longer where no "}, {" occurs. A "}, {" may be in a string or in
  // another array, so the caller must check each block. The file may be given by its beginning only
  // (TraceFile::size), and must outlive this object.
  EntryBlocks(const TraceFile& file, const EntryFrame& frame, std::size_t size);

  // Reads the next block. False if none is left. Throws TraceError when the file has become
  // shorter.
  bool next(EntryBlock& block);
  // Makes next() return false from now on.
  void stop();

 private:
  void append(std::string& text, std::size_t size);

  const TraceFile& file_;
  const EntryFrame frame_;
  const std::size_t size_;
  std::uintmax_t left_;  // bytes that were not read
  std::size_t next_ = 0;
  std::ifstream in_;
  std::string begun_;  // the beginning of the next block, read with the previous one
  std::mutex mutex_;
};

}  // namespace sim::traces
