#include "sim/guest/boot/user_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "base/text/lower_case.h"
#include "sim/guest/boot/decode.h"

namespace sim::guest::boot {
namespace {

constexpr const char* kNotMultipart = "text/x-not-multipart";
constexpr std::string_view kBoothook = "#cloud-boothook";

// The type of a part by its first line, where no type is given; the longest prefix first.
constexpr std::array<std::pair<std::string_view, const char*>, 9> kBeginnings{{
    {"#cloud-config-archive", "text/cloud-config-archive"},
    {"#cloud-config-jsonp", "text/cloud-config-jsonp"},
    {"## template: jinja", "text/jinja2"},
    {kBoothook, "text/cloud-boothook"},
    {"#include-once", "text/x-include-once-url"},
    {"#cloud-config", "text/cloud-config"},
    {"#part-handler", "text/part-handler"},
    {"#include", "text/x-include-url"},
    {"#!", "text/x-shellscript"},
}};

// Types that cloud-init handles, and nothing here does.
const std::set<std::string> kNotDone{"text/x-include-url", "text/x-include-once-url",
                                     "text/part-handler",  "text/cloud-config-archive",
                                     "text/jinja2",        "text/cloud-config-jsonp"};

std::string type_by_beginning(std::string_view text, const std::string& otherwise) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  const std::string begin = base::lower_case(text.substr(at == text.npos ? 0 : at, 32));
  for (const auto& [word, type] : kBeginnings)
    if (begin.starts_with(word)) return type;
  return otherwise;
}

// Converts Windows line ends if the first line has one.
std::string with_unix_lines(std::string text) {
  const auto end = text.find('\n');
  if (end == std::string::npos || end == 0 || text[end - 1] != '\r') return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') out += text[i];
  return out;
}

// The file name of a part, unique in one folder.
std::string file_name(const std::string& name, std::size_t number) {
  std::string out;
  for (const char c : name)
    if (c == '/')
      out += '_';
    else if (std::isalnum(static_cast<unsigned char>(c)) ||
             std::string("_-.()").find(c) != out.npos)
      out += c;
  if (out.empty() || out == "." || out == "..") return fmt::format("part-{:03}", number);
  return out.substr(0, 200);
}

std::string beginning(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, std::min<std::size_t>(text.find('\n'), 24)))
    out += c >= ' ' && c <= '~' ? std::string(1, c)
                                : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return out;
}

class PartReader {
 public:
  void part(MimePart part, std::size_t number) {
    if (part.type.starts_with("multipart/")) return;  // without a boundary it has no parts
    if (part.type.starts_with("application/") && part.type.find("zip") != std::string::npos) {
      auto text = gunzip(part.content);
      if (!text)
        return warn("user_data.py", "Failed decompressing payload from " + part.type +
                                        fmt::format(" of length {}", part.content.size()));
      part.content = *std::move(text);
      part.type = "text/plain";
    }
    std::string type = part.type;
    if (type == "text/plain" || type == kNotMultipart || type == "text/x-shellscript")
      type = type_by_beginning(part.content, type);
    const std::string name = file_name(part.filename, number);
    const auto script = [&] { return Script{name, with_unix_lines(std::move(part.content))}; };
    if (type == "text/x-shellscript")
      out_.scripts.push_back(script());
    else if (type == "text/x-shellscript-per-boot")
      out_.per_boot.push_back(script());
    else if (type == "text/x-shellscript-per-instance")
      out_.per_instance.push_back(script());
    else if (type == "text/x-shellscript-per-once")
      out_.per_once.push_back(script());
    else if (type == "text/cloud-boothook")
      boothook(script());
    else if (type == "text/cloud-config")
      config_.add(part.content, part.merge, out_.warnings);
    else if (kNotDone.contains(type))
      warn("__init__.py", "Unhandled " + type + ": this format of user data does nothing here");
    else if (type == kNotMultipart)
      warn("__init__.py", fmt::format("Unhandled non-multipart ({}) userdata: 'b'{}'...'", type,
                                      beginning(part.content)));
    else
      warn("__init__.py", fmt::format("Unhandled unknown content-type ({}) userdata: 'b'{}'...'",
                                      type, beginning(part.content)));
  }

  UserData done() {
    Warnings of_config;
    out_.config = config_.config(of_config);
    out_.warnings.insert(out_.warnings.end(), of_config.begin(), of_config.end());
    for (auto* scripts : {&out_.scripts, &out_.per_boot, &out_.per_instance, &out_.per_once})
      in_order_of_names(*scripts);
    return std::move(out_);
  }

  void warn(const std::string& source, const std::string& text) {
    out_.warnings.push_back({source, text});
  }

 private:
  void boothook(Script script) {
    std::string_view text = script.text;
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with(kBoothook)) text.remove_prefix(kBoothook.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    out_.boothooks.push_back({script.name, std::string(text)});
  }

  // If two scripts have one name, the later file replaces the earlier file.
  static void in_order_of_names(std::vector<Script>& scripts) {
    std::map<std::string, std::string> by_name;
    for (auto& script : scripts) by_name[script.name] = std::move(script.text);
    scripts.clear();
    for (auto& [name, text] : by_name) scripts.push_back({name, std::move(text)});
  }

  UserData out_;
  CloudConfigParts config_;
};

bool is_message(std::string_view bytes) {
  return base::lower_case(bytes.substr(0, 4096)).find("mime-version:") != std::string::npos;
}

}  // namespace

UserData read_user_data(std::string_view bytes) {
  PartReader reader;
  std::string unzipped;
  if (is_gzip(bytes)) {
    // Bytes that cannot be unzipped are used unchanged, and then have no known format.
    if (auto text = gunzip(bytes)) bytes = unzipped = *std::move(text);
  }
  std::size_t number = 0;
  if (bytes.empty())
    return reader.done();
  else if (is_message(bytes))
    for (auto& part : parts_of_message(bytes)) reader.part(std::move(part), ++number);
  else
    reader.part({.type = kNotMultipart, .content = std::string(bytes)}, ++number);
  return reader.done();
}

}  // namespace sim::guest::boot
