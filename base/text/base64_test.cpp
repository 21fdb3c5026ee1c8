#include "base/text/base64.h"

#include <gtest/gtest.h>

namespace base {
namespace {

// RFC 4648, section 10.
TEST(Base64, GivesTheKnownAnswers) {
  const std::pair<const char*, const char*> kAnswers[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : kAnswers) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes);
  }
}

TEST(Base64, BringsAnyBytesBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
    bytes += static_cast<char>(255 - i);
  }
}

TEST(Base64, SkipsBlanksAndLineEnds) {
  EXPECT_EQ(base64_decode(" Zm9v\r\n\tYg= =\n"), "foob");
  EXPECT_EQ(base64_decode("Zm9vYm\nFyZm9v"), "foobarfoo");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"a", "ab", "abc", "ab=c", "====", "a===", "!!!!", "abc-",
                           "Zg==Zg==", "Zm9vZg", "Zm9v!!!!", "Zm9v=", "Zm9v===="}) {
    EXPECT_FALSE(base64_decode(text)) << text;
  }
}

}  // namespace
}  // namespace base
