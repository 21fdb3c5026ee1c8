#include "sim/iam/credential_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <vector>

namespace sim::iam {
namespace {

using Cells = std::vector<std::string>;

constexpr std::string_view kColumns =
    "user,arn,user_creation_time,password_enabled,password_last_used,password_last_changed,"
    "password_next_rotation,mfa_active,access_key_1_active,access_key_1_last_rotated,"
    "access_key_1_last_used_date,access_key_1_last_used_region,access_key_1_last_used_service,"
    "access_key_2_active,access_key_2_last_rotated,access_key_2_last_used_date,"
    "access_key_2_last_used_region,access_key_2_last_used_service,cert_1_active,"
    "cert_1_last_rotated,cert_2_active,cert_2_last_rotated\n";

// "2019-11-05T10:00:00+00:00"
std::string date(Time time) {
  std::string text = iso_seconds(time);
  text.replace(text.size() - 1, 1, "+00:00");
  return text;
}

// A cell as RFC 4180 writes it. Names, paths and the regions of signatures may have commas.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

void append(Cells& cells, const Cells& more) {
  cells.insert(cells.end(), more.begin(), more.end());
}

// Users have neither certificates nor MFA devices here. Nobody signs in with a password.
void append_password(Cells& cells, const std::optional<Login>& login) {
  if (login)
    append(cells, {"true", "no_information", date(login->password_changed), "N/A", "false"});
  else
    append(cells, {"false", "N/A", "N/A", "N/A", "false"});
}

void append_key(Cells& cells, const AccessKey* key) {
  if (key == nullptr) return append(cells, {"false", "N/A", "N/A", "N/A", "N/A"});
  append(cells, {key->is_active ? "true" : "false", date(key->created)});
  if (key->last_used)
    append(cells, {date(*key->last_used), key->last_region, key->last_service});
  else
    append(cells, {"N/A", "N/A", "N/A"});
}

void append_line(std::string& csv, Cells cells, const std::array<const AccessKey*, 2>& keys) {
  for (const AccessKey* key : keys) append_key(cells, key);
  append(cells, {"false", "N/A", "false", "N/A"});  // certificates
  for (std::string& text : cells) text = cell(text);
  csv += fmt::format("{}\n", fmt::join(cells, ","));
}

}  // namespace

std::string credential_csv(const Account& account) {
  std::string csv(kColumns);
  append_line(csv,
              {"<root_account>", account.root().arn, date(account.created()), "not_supported",
               "no_information", "not_supported", "not_supported", "false"},
              {});
  for (const auto& [name, user] : account.users()) {
    Cells cells{user.name, user.arn, date(user.created)};
    append_password(cells, user.login);
    std::array<const AccessKey*, 2> keys{};
    const auto own = account.access_keys(name);
    for (std::size_t i = 0; i < own.size() && i < keys.size(); ++i) keys[i] = own[i];
    append_line(csv, std::move(cells), keys);
  }
  return csv;
}

}  // namespace sim::iam
