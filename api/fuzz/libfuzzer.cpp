// libFuzzer's entry. SPOTSIM_FUZZ names the target; `--seeds FOLDER` writes its seeds there.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "api/fuzz/fuzz.h"

namespace {

const api::FuzzTarget* chosen = nullptr;

[[noreturn]] void show_targets() {
  std::fputs("SPOTSIM_FUZZ: expected one of", stderr);
  for (const auto& target : api::fuzz_targets())
    std::fprintf(stderr, " %.*s", static_cast<int>(target.name.size()), target.name.data());
  std::fputs("\n", stderr);
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  const char* const name = std::getenv("SPOTSIM_FUZZ");
  chosen = api::find_fuzz_target(name != nullptr ? name : "");
  if (chosen == nullptr) show_targets();
  if (*count == 3 && std::string_view((*arguments)[1]) == "--seeds") {
    int number = 0;
    for (const auto& seed : chosen->seeds())
      std::ofstream((*arguments)[2] + std::string("/seed-") + std::to_string(++number)) << seed;
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
