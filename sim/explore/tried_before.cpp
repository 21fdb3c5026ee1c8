#include "sim/explore/tried_before.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "base/files/whole_file.h"
#include "sim/events/event.h"

namespace sim::explore {
namespace {

namespace fs = std::filesystem;

Json as_json(const Tried& tried) {
  Json breaches = Json::array();
  for (const Breach& breach : tried.breaches)
    breaches.push_back({{"id", breach.id},
                        {"sentence", breach.sentence},
                        {"found", breach.found},
                        {"lines", breach.lines}});
  return {
      {"plan", tried.plan},           {"outcome", tried.outcome}, {"impossible", tried.impossible},
      {"no_effect", tried.no_effect}, {"breaches", breaches},     {"console", tried.console}};
}

// Throws nlohmann's exceptions for a line that was cut off.
Tried of_json(const Json& line) {
  Tried tried{.plan = line.at("plan").get<PlanText>()};
  line.at("outcome").get_to(tried.outcome);
  line.at("impossible").get_to(tried.impossible);
  line.at("no_effect").get_to(tried.no_effect);
  line.at("console").get_to(tried.console);
  for (const Json& breach : line.at("breaches")) {
    tried.breaches.push_back({breach.at("id").get<std::string>(),
                              breach.at("sentence").get<std::string>(),
                              breach.at("found").get<std::string>(),
                              breach.at("lines").get<std::vector<std::string>>()});
  }
  return tried;
}

// Empty if the line is not the first one of a search's file.
std::optional<Identity> search_of(const std::string& line) {
  try {
    return Json::parse(line).at("search").get<Identity>();
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace

std::string line_of(const Tried& tried) {
  return as_json(tried).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Tried tried_of(const std::string& line) { return of_json(Json::parse(line)); }

TriedBefore::TriedBefore(std::filesystem::path file, const Identity& search)
    : file_(std::move(file)) {
  std::ifstream in(file_);
  std::string header;
  if (std::getline(in, header)) {
    const auto other = search_of(header);
    if (other == search)
      read(in);
    else
      keep_beside(other ? fmt::format("belongs to a search with another {}",
                                      fmt::join(differing(*other, search), ", "))
                        : "does not name its search in the first line");
  }
  in.close();
  write_again(search);
}

void TriedBefore::read(std::ifstream& runs) {
  std::string line;
  while (std::getline(runs, line)) {
    try {
      Tried tried = tried_of(line);
      PlanText plan = tried.plan;
      tried_.insert_or_assign(std::move(plan), std::move(tried));
    } catch (const nlohmann::json::exception&) {
      break;  // the search ended while it wrote this line
    }
  }
}

// Writes the runs that were read, so that the file has no half line in its middle. `out_` continues
// with the same file under its name.
void TriedBefore::write_again(const Identity& search) {
  const fs::path part = file_.parent_path() / base::temporary_name(file_.filename().string());
  out_.open(part, std::ios::trunc);
  out_ << Json{{"search", search}}.dump() << '\n';
  for (const auto& [plan, tried] : tried_) out_ << line_of(tried) << '\n';
  out_.flush();
  if (!out_) throw run::RunError("cannot write " + part.string() + " (--out names another folder)");
  try {
    base::put_in_place(part, file_);
  } catch (const std::system_error& error) {
    throw run::RunError(fmt::format("{} (--out names another folder)", error.what()));
  }
}

void TriedBefore::keep_beside(const std::string& why) {
  const std::string first = file_.string() + ".before";
  std::string beside = first;
  for (int n = 2; fs::exists(beside); ++n) beside = fmt::format("{}-{}", first, n);
  std::error_code error;
  fs::rename(file_, beside, error);
  if (error)
    throw run::RunError(fmt::format("cannot rename {} to {}: {} (--out names another folder)",
                                    file_.string(), beside, error.message()));
  begun_anew_ = fmt::format("{} {}, so it was renamed to {}: this search starts from the beginning",
                            file_.string(), why, beside);
}

const Tried* TriedBefore::find(const PlanText& plan) const {
  const auto found = tried_.find(plan);
  return found == tried_.end() ? nullptr : &found->second;
}

bool TriedBefore::keep(const Tried& tried) {
  if (!tried_.emplace(tried.plan, tried).second) return false;
  out_ << line_of(tried) << '\n';
  out_.flush();
  return true;
}

}  // namespace sim::explore
