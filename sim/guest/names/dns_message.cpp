#include "sim/guest/names/dns_message.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace sim::guest {
namespace {

// Sections 3.2 and 4.1 of RFC 1035, and 2.1 of RFC 3596.
constexpr std::size_t kHeader = 12, kLongestName = 255, kLongestLabel = 63;
constexpr std::uint16_t kAddress = 1, kPointer = 12, kAny = 255, kInternet = 1;
constexpr std::uint16_t kResponse = 0x8000, kOperation = 0x7800, kRecursionDesired = 0x0100,
                        kRecursionAvailable = 0x0080;
enum Code : std::uint16_t { kNoError = 0, kFormatError = 1, kNoSuchName = 3, kNotImplemented = 4 };
constexpr std::uint32_t kSecondsToLive = 60;
constexpr std::uint16_t kNameOfQuestion = 0xC000 | kHeader;  // a pointer to it

std::uint16_t number_at(std::string_view message, std::size_t at) {
  return static_cast<std::uint16_t>(static_cast<std::uint8_t>(message[at]) << 8 |
                                    static_cast<std::uint8_t>(message[at + 1]));
}

void append(std::string& message, std::uint16_t number) {
  message += static_cast<char>(number >> 8);
  message += static_cast<char>(number & 0xff);
}

struct Question {
  std::string name;
  std::uint16_t type = 0, the_class = 0;
  std::string_view bytes;  // as they came: the answer repeats them, in the asker's own case
};

void append_label(std::string& name, std::string_view label) {
  if (!name.empty()) name += '.';
  for (const char c : label) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_')
      name += static_cast<char>(std::tolower(byte));
    else
      name += fmt::format("\\{:03}", byte);
  }
}

// Reads the question after the header. Its name is never compressed, because nothing precedes it.
std::optional<Question> read_question(std::string_view message) {
  Question question;
  std::size_t at = kHeader;
  for (;;) {
    if (at >= message.size() || at - kHeader >= kLongestName) return {};
    const auto length = static_cast<std::uint8_t>(message[at++]);
    if (length == 0) break;
    if (length > kLongestLabel || message.size() - at < length) return {};
    append_label(question.name, message.substr(at, length));
    at += length;
  }
  if (message.size() - at < 4) return {};
  question.type = number_at(message, at);
  question.the_class = number_at(message, at + 2);
  question.bytes = message.substr(kHeader, at + 4 - kHeader);
  return question;
}

// The labels of a host name, each after its length.
std::string name_as_bytes(std::string_view name) {
  std::string bytes;
  while (!name.empty()) {
    const std::string_view label = name.substr(0, name.find('.'));
    bytes += static_cast<char>(label.size());
    bytes += label;
    name.remove_prefix(std::min(label.size() + 1, name.size()));
  }
  return bytes + '\0';
}

// The data of the record that answers; empty: there is none of this type.
std::string data_of(const NameAnswer& answer, const Question& question) {
  const auto asks = [&](std::uint16_t type) {
    return question.the_class == kInternet && (question.type == type || question.type == kAny);
  };
  in_addr address{};
  if (asks(kAddress) && inet_pton(AF_INET, answer.address.c_str(), &address) == 1)
    return {reinterpret_cast<const char*>(&address), sizeof address};
  return asks(kPointer) && !answer.host.empty() ? name_as_bytes(answer.host) : "";
}

std::string header(std::string_view asked, Code code, std::uint16_t questions,
                   std::uint16_t answers) {
  std::string out(asked.substr(0, 2));
  const std::uint16_t kept = number_at(asked, 2) & (kOperation | kRecursionDesired);
  append(out, kResponse | kRecursionAvailable | kept | code);
  for (const std::uint16_t count : {questions, answers, std::uint16_t{0}, std::uint16_t{0}})
    append(out, count);
  return out;
}

}  // namespace

std::optional<std::string> answer_message(std::string_view message, const Lookup& lookup) {
  if (message.size() < kHeader || (number_at(message, 2) & kResponse)) return {};
  if (number_at(message, 2) & kOperation) return header(message, kNotImplemented, 0, 0);
  const auto question = number_at(message, 4) == 1 ? read_question(message) : std::nullopt;
  if (!question) return header(message, kFormatError, 0, 0);
  const NameAnswer answer = lookup(question->name);
  const std::string data = data_of(answer, *question);
  std::string out =
      header(message, answer.exists ? kNoError : kNoSuchName, 1, data.empty() ? 0 : 1);
  out += question->bytes;
  if (data.empty()) return out;
  append(out, kNameOfQuestion);
  append(out, answer.host.empty() ? kAddress : kPointer);
  append(out, kInternet);
  append(out, kSecondsToLive >> 16);
  append(out, kSecondsToLive & 0xffff);
  append(out, static_cast<std::uint16_t>(data.size()));
  return out + data;
}

}  // namespace sim::guest
