// The safetensors file format for float32 tensors: https://huggingface.co/docs/safetensors. A file
// has eight bytes with the header's length (little-endian), then the header, a JSON object, and
// then the values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/checkpoint/checkpoint.h"

namespace spottrain {

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;  // "__metadata__"
  std::vector<Tensor> tensors;                  // in the order of their values
};

// The file's bytes up to the values, which begin at a multiple of 4096 bytes: spaces pad the
// header.
std::string safetensors_prefix(const SafetensorsHeader& header);

struct SafetensorsFile {
  SafetensorsHeader header;
  std::string_view values;  // all bytes after the header; the tensors cover them exactly
};

// Parses a file. Throws DamagedCheckpoint with the reason.
SafetensorsFile parse_safetensors(std::string_view bytes);

}  // namespace spottrain
