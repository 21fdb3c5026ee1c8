#include "api/fuzz/fuzz.h"

#include <cstdlib>
#include <iterator>
#include <stdexcept>

#include "base/long_for_test.h"

namespace api {

std::string damaged(std::string text, std::mt19937& random) {
  static const std::string kMarks("&=.%+{}[]<>/\"\\,:;0129-xe\xff\xc3\0\r\n", 29);
  static const std::string kWords[] = {"null",      "1e999", "\\ud800", "&#0;",
                                       "<![CDATA[", ".1.",   "%00",     "\"Child\":{",
                                       "<Child>",   "]]>",   "&lt",     "[[[["};
  for (unsigned changes = random() % 4; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size(), from = random() % text.size();
    switch (random() % 6) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, random() % 9);
        break;
      case 2:
        text.insert(at, text.substr(from, random() % 40));
        break;
      case 3:
        text.insert(at, kWords[random() % std::size(kWords)]);
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text[at] = kMarks[random() % kMarks.size()];
    }
  }
  return text;
}

int fuzz_rounds() {
  const char* const asked = std::getenv("SPOTSIM_FUZZ_ROUNDS");
  return asked != nullptr ? std::atoi(asked) : long_tests() ? 100'000 : 20'000;
}

FuzzCounts fuzz(const FuzzTarget& target, int rounds) {
  std::mt19937 random(1);
  const auto seeds = target.seeds();
  FuzzCounts counts;
  for (int round = 0; round < rounds; ++round) {
    const std::string input = damaged(seeds[random() % seeds.size()], random);
    try {
      const Fuzzed fuzzed = target.run(input);
      ++(fuzzed == Fuzzed::kRead      ? counts.read
         : fuzzed == Fuzzed::kRefused ? counts.refused
                                      : counts.strayed);
    } catch (const std::logic_error& broken) {
      throw std::logic_error(std::string(broken.what()) + "\n" + input);
    }
  }
  return counts;
}

void fuzz_must(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace api
