#include "sim/guest/boot/cloud_config.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>

#include "base/text/base64.h"
#include "base/text/lower_case.h"
#include "sim/guest/boot/decode.h"

namespace sim::guest::boot {
namespace {

using Values = std::map<std::string, YAML::Node>;

std::string text_of(const YAML::Node& node) {
  return node && node.IsScalar() ? node.Scalar() : std::string();
}

// The words that cloud-init accepts as "yes".
bool is_true(const YAML::Node& node) {
  const std::string word = base::lower_case(text_of(node));
  return word == "true" || word == "1" || word == "on" || word == "yes";
}

// Reads one text, a list of texts, or texts separated by commas.
std::vector<std::string> texts_of(const YAML::Node& node, char between = '\0') {
  std::vector<std::string> out;
  if (node && node.IsSequence()) {
    for (const auto& item : node)
      if (item.IsScalar()) out.push_back(item.Scalar());
  } else if (node && node.IsScalar()) {
    std::string_view rest = node.Scalar();
    while (!rest.empty()) {
      const auto end = between ? rest.find(between) : std::string_view::npos;
      std::string_view word = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      if (between) {
        word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
        word = word.substr(0, word.find_last_not_of(' ') + 1);
      }
      if (!word.empty()) out.emplace_back(word);
    }
  }
  return out;
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The name of Python's type if YAML 1.1, which cloud-init reads, takes a plain word for a boolean
// or a number; empty for a text.
std::string_view python_type(const YAML::Node& scalar) {
  if (scalar.Tag() != "?") return {};
  static const re2::RE2 kBoolean(
      "yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF");
  static const re2::RE2 kInteger("[-+]?(0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)");
  static const re2::RE2 kFloat(R"([-+]?([0-9][0-9_]*)\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9][0-9_]*)");
  if (re2::RE2::FullMatch(scalar.Scalar(), kBoolean)) return "bool";
  if (re2::RE2::FullMatch(scalar.Scalar(), kInteger)) return "int";
  return re2::RE2::FullMatch(scalar.Scalar(), kFloat) ? "float" : "";
}

// Commands as a script: a text becomes a line, a list becomes a program with its arguments.
std::string shell_script(const YAML::Node& node, const std::string& key, Warnings& warnings) {
  const std::string source = "cc_" + key + ".py";
  if (!node.IsSequence()) {
    warnings.push_back({source, "Failed to shellify " + key + ": it is no list of commands"});
    return {};
  }
  std::string out = "#!/bin/sh\n";
  for (const auto& command : node) {
    if (command.IsScalar()) {
      if (const auto type = python_type(command); !type.empty()) {
        warnings.push_back({source, fmt::format("Failed to shellify {}: Unable to shellify type "
                                                "'{}'. Expected list, string, tuple. Got: {}",
                                                key, type, command.Scalar())});
        return {};
      }
      out += command.Scalar() + "\n";
    } else if (command.IsSequence()) {
      std::string line;
      for (const auto& word : command) line += (line.empty() ? "" : " ") + quoted(text_of(word));
      out += line + "\n";
    } else if (!command.IsNull()) {
      warnings.push_back({source, fmt::format("Failed to shellify {}: a command is a mapping, "
                                              "expected a text or a list",
                                              key)});
      return {};
    }
  }
  return out;
}

// In YAML 1.1, which cloud-init reads, 0644 is an octal number and 644 is not; a text is octal.
std::optional<int> permissions_of(const YAML::Node& node) {
  std::string word = text_of(node);
  int base = 8;
  if (node.Tag() == "?" && !word.starts_with('0')) base = 10;
  if (word.starts_with("0o")) word.erase(0, 2);
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (error != std::errc{} || end != word.data() + word.size() || value < 0 || value > 07777)
    return {};
  return value;
}

// The content after decoding; empty when it is damaged.
std::optional<std::string> content_of(const YAML::Node& file, const std::string& path,
                                      Warnings& warnings) {
  std::string content = text_of(file["content"]), encoding = text_of(file["encoding"]);
  if (file["content"] && file["content"].Tag() == "tag:yaml.org,2002:binary")
    content = base::base64_decode(content).value_or("");
  const bool zipped = encoding.starts_with("gz");
  const bool coded = encoding.ends_with("b64") || encoding.ends_with("base64");
  if (!encoding.empty() && !zipped && !coded && encoding != "text/plain")
    warnings.push_back(
        {"cc_write_files.py", "Unknown encoding type " + encoding + ", assuming text/plain"});
  std::optional<std::string> out = std::move(content);
  if (coded) out = base::base64_decode(*out);
  if (out && zipped) out = gunzip(*out);
  if (!out) warnings.push_back({"cc_write_files.py", path + ": its content is no " + encoding});
  return out;
}

void read_files(const YAML::Node& node, CloudConfig& out, Warnings& warnings) {
  int number = 0;
  for (const auto& file : node) {
    ++number;
    WriteFile write{.path = file.IsMap() ? text_of(file["path"]) : ""};
    if (write.path.empty()) {
      warnings.push_back(
          {"cc_write_files.py",
           fmt::format("No path provided to write for entry {} in module write-files", number)});
      continue;
    }
    const auto content = content_of(file, write.path, warnings);
    if (!content) continue;
    write.content = *content;
    if (file["owner"]) write.owner = text_of(file["owner"]);
    write.append = is_true(file["append"]);
    write.defer = is_true(file["defer"]);
    if (file["permissions"]) {
      const auto mode = permissions_of(file["permissions"]);
      if (!mode)
        warnings.push_back({"cc_write_files.py", "Undecodable permissions " +
                                                     text_of(file["permissions"]) +
                                                     ", returning default 644"});
      write.permissions = mode.value_or(0644);
    }
    out.write_files.push_back(std::move(write));
  }
}

void read_mounts(const YAML::Node& node, CloudConfig& out, Warnings& warnings) {
  const std::array<const char*, 6> defaults{
      "",  "none", "auto", "defaults,nofail,x-systemd.requires=cloud-init.service,_netdev",
      "0", "2"};
  for (const auto& line : node) {
    if (!line.IsSequence() || line.size() == 0) {
      warnings.push_back({"cc_mounts.py", "Mount option not a list, ignoring: " + text_of(line)});
      continue;
    }
    // ["xvdb", null] removes an entry that an image may have.
    if (line.size() < 2 || line[1].IsNull()) continue;
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < defaults.size(); ++i)
      fields.push_back(i < line.size() && line[i].IsScalar() ? line[i].Scalar() : defaults[i]);
    if (fields[0].find('/') == std::string::npos && fields[0].find('=') == std::string::npos &&
        fields[0].find(':') == std::string::npos)
      fields[0] = "/dev/" + fields[0];
    fields[3] += ",comment=cloudconfig";
    out.mounts.push_back(std::move(fields));
  }
}

User read_user(const YAML::Node& node) {
  User user{.name = node.IsMap() ? text_of(node["name"]) : text_of(node)};
  if (!node.IsMap()) return user;
  const auto option = [&](const char* key, const char* of_useradd) {
    if (const std::string value = text_of(node[key]); !value.empty())
      user.useradd.insert(user.useradd.end(), {of_useradd, value});
  };
  option("gecos", "--comment");
  option("homedir", "--home");
  option("primary_group", "--gid");
  option("uid", "--uid");
  option("shell", "--shell");
  option("passwd", "--password");
  option("expiredate", "--expiredate");
  std::string groups;
  for (const auto& group : texts_of(node["groups"], ','))
    groups += (groups.empty() ? "" : ",") + group;
  if (!groups.empty()) user.useradd.insert(user.useradd.end(), {"--groups", groups});
  if (is_true(node["system"])) user.useradd.push_back("--system");
  const bool homeless = is_true(node["no_create_home"]) || is_true(node["system"]);
  user.useradd.push_back(homeless ? "-M" : "-m");
  if (node["sudo"] && text_of(node["sudo"]) != "false") user.sudo = texts_of(node["sudo"]);
  if (node["lock_passwd"]) user.lock_passwd = is_true(node["lock_passwd"]);
  for (const char* key : {"ssh_authorized_keys", "ssh-authorized-keys"})
    for (auto& text : texts_of(node[key])) user.ssh_authorized_keys.push_back(std::move(text));
  return user;
}

void read_users(const YAML::Node& node, CloudConfig& out, Warnings& warnings) {
  for (const auto& entry : node) {
    User user = read_user(entry);
    if (user.name.empty())
      warnings.push_back({"cc_users_groups.py", "a user without a name"});
    else if (user.name != "default")
      out.users.push_back(std::move(user));
  }
}

// Names, and mappings of names to members.
void read_groups(const YAML::Node& node, CloudConfig& out, Warnings&) {
  if (node.IsScalar())
    for (const auto& name : texts_of(node, ',')) out.groups[name];
  for (const auto& entry : node) {
    if (node.IsMap())
      out.groups[text_of(entry.first)] = texts_of(entry.second);
    else if (entry.IsScalar())
      out.groups[entry.Scalar()];
    else if (entry.IsMap())
      for (const auto& group : entry) out.groups[text_of(group.first)] = texts_of(group.second);
  }
}

void read_packages(const YAML::Node& node, CloudConfig& out, Warnings&) {
  for (const auto& entry : node)
    if (const std::string name = text_of(entry.IsSequence() ? entry[0] : entry); !name.empty())
      out.packages.push_back(name);
}

void read_power_state(const YAML::Node& node, CloudConfig& out, Warnings& warnings) {
  PowerState state{.mode = node.IsMap() ? text_of(node["mode"]) : ""};
  if (state.mode != "poweroff" && state.mode != "reboot" && state.mode != "halt") {
    warnings.push_back({"cc_power_state_change.py",
                        "power_state[mode] required, must be one of: halt,poweroff,reboot. found: "
                        "'" +
                            state.mode + "'. Not performing power state change!"});
    return;
  }
  state.message = text_of(node["message"]);
  if (const std::string delay = text_of(node["delay"]); !delay.empty() && delay != "now")
    state.delay = delay.starts_with('+') ? delay : "+" + delay;
  if (const YAML::Node condition = node["condition"]; condition && condition.IsSequence()) {
    state.condition.clear();
    for (const auto& word : condition) state.condition += quoted(text_of(word)) + " ";
  } else if (condition) {
    state.condition = text_of(condition);
  }
  out.power_state = state;
}

// "scripts-user", or [scripts-user, always].
std::function<void(const YAML::Node&, CloudConfig&, Warnings&)> modules_of(const char* stage) {
  return [stage](const YAML::Node& node, CloudConfig& out, Warnings& warnings) {
    if (!node.IsSequence()) {
      const std::string key = std::string("cloud_") + stage + "_modules";
      warnings.push_back({"util.py", key + ": found no list, left out"});
      return;
    }
    auto& modules = out.modules[stage];
    for (const auto& entry : node) {
      std::string name = text_of(entry.IsSequence() ? entry[0] : entry);
      std::ranges::replace(name, '-', '_');
      modules[name] = entry.IsSequence() && entry.size() > 1 ? text_of(entry[1]) : "";
    }
  };
}

using Reader = std::function<void(const YAML::Node&, CloudConfig&, Warnings&)>;

Reader text_into(std::string CloudConfig::*member) {
  return [member](const YAML::Node& node, CloudConfig& out, Warnings&) {
    out.*member = text_of(node);
  };
}
Reader script_into(std::string CloudConfig::*member, const std::string& key) {
  return [member, key](const YAML::Node& node, CloudConfig& out, Warnings& warnings) {
    out.*member = shell_script(node, key, warnings);
  };
}
void nothing(const YAML::Node&, CloudConfig&, Warnings&) {}

// The keys of cloud-config that this implementation supports.
const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> table{
      {"bootcmd", script_into(&CloudConfig::bootcmd, "bootcmd")},
      {"runcmd", script_into(&CloudConfig::runcmd, "runcmd")},
      {"write_files", read_files},
      {"mounts", read_mounts},
      {"hostname", text_into(&CloudConfig::hostname)},
      {"fqdn",
       [](const YAML::Node& node, CloudConfig& out, Warnings&) {
         if (out.hostname.empty()) out.hostname = text_of(node).substr(0, text_of(node).find('.'));
       }},
      {"timezone", text_into(&CloudConfig::timezone)},
      {"final_message", text_into(&CloudConfig::final_message)},
      {"users", read_users},
      {"ssh_authorized_keys", [](const YAML::Node& node, CloudConfig& out,
                                 Warnings&) { out.ssh_authorized_keys = texts_of(node); }},
      {"groups", read_groups},
      {"packages", read_packages},
      {"power_state", read_power_state},
      {"cloud_init_modules", modules_of("init")},
      {"cloud_config_modules", modules_of("config")},
      {"cloud_final_modules", modules_of("final")},
      // Keys that say how parts are joined (CloudConfigParts reads them), or ask for what a guest
      // has anyway.
      {"merge_how", nothing},
      {"merge_type", nothing},
      {"output", nothing},
      {"preserve_hostname", nothing},
      {"manage_etc_hosts", nothing},
      {"disable_root", nothing},
      {"repo_update", nothing},
      {"launch-index", nothing},
  };
  return table;
}

// Without the aliases of aliases that would fill the memory.
bool is_small(const YAML::Node& node, int& left, int depth = 0) {
  if (--left < 0 || depth > 32) return false;
  if (node.IsSequence())
    for (const auto& item : node)
      if (!is_small(item, left, depth + 1)) return false;
  if (node.IsMap())
    for (const auto& entry : node)
      if (!is_small(entry.first, left, depth + 1) || !is_small(entry.second, left, depth + 1))
        return false;
  return true;
}

YAML::Node joined(const YAML::Node& first, const YAML::Node& second) {
  YAML::Node out(YAML::NodeType::Sequence);
  for (const auto& item : first) out.push_back(item);
  for (const auto& item : second) out.push_back(item);
  return out;
}

}  // namespace

void CloudConfigParts::add(const std::string& text, const std::string& merge_how,
                           Warnings& warnings) {
  YAML::Node part;
  try {
    part = YAML::Load(text);
    if (int left = 100000; !is_small(part, left))
      throw YAML::Exception(YAML::Mark::null_mark(), "too large, or nested too deeply");
  } catch (const YAML::Exception& error) {
    warnings.push_back(
        {"util.py", fmt::format("Failed loading yaml blob. {} at line {} column {}", error.msg,
                                error.mark.line + 1, error.mark.column + 1)});
    return;
  }
  if (part.IsNull()) return;
  if (!part.IsMap()) {
    warnings.push_back({"util.py",
                        "Failed loading yaml blob. Yaml load allows (dict) root types, "
                        "but got another instead"});
    return;
  }
  std::string how = merge_how;
  for (const char* key : {"merge_how", "merge_type"})
    if (how.empty()) how = text_of(part[key]);
  const bool append = how.find("list(append") != std::string::npos;
  const bool prepend = how.find("list(prepend") != std::string::npos;
  const bool keep = how.find("dict(no_replace") != std::string::npos;
  for (const auto& entry : part) {
    const YAML::Node& value = entry.second;
    const auto [at, is_new] = values_.try_emplace(text_of(entry.first), value);
    if (is_new) continue;
    const bool lists = at->second.IsSequence() && value.IsSequence();
    if (lists && append)
      at->second.reset(joined(at->second, value));
    else if (lists && prepend)
      at->second.reset(joined(value, at->second));
    else if (!keep)
      at->second.reset(value);
  }
}

CloudConfig CloudConfigParts::config(Warnings& warnings) const {
  CloudConfig out;
  for (const auto& [key, value] : values_) {
    const auto at = readers().find(key);
    if (at == readers().end()) {
      warnings.push_back({"cloud-init", key + ": this key of cloud-config does nothing here"});
      continue;
    }
    try {
      at->second(value, out, warnings);
    } catch (const YAML::Exception& error) {
      warnings.push_back({"cloud-init", key + ": " + error.msg});
    }
  }
  return out;
}

}  // namespace sim::guest::boot
