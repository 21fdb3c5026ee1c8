#include "api/rest_route.h"

#include <algorithm>

namespace api {
namespace {

const Parameter* find_in(const Parameters& query, std::string_view name) {
  const auto found = std::ranges::find(query, name, &Parameter::name);
  return found == query.end() ? nullptr : &*found;
}

// The score for the literal parts of a pattern's query string: "uploads", "list-type=2". Empty if
// one is missing.
std::optional<int> literal_points(const Operation& operation, const Parameters& query) {
  int points = 0;
  Parameters literals;
  parse_form(operation.query, literals);
  for (const Parameter& literal : literals) {
    const Parameter* const found = find_in(query, literal.name);
    const bool is_there = found != nullptr && found->value == literal.value;
    // SDKs send the operation's name in x-id. Other clients do not.
    if (!is_there && literal.name != "x-id") return {};
    points += is_there ? 2 : 0;
  }
  return points;
}

int required_points(const Operation& operation, const HttpRequest& request,
                    const Parameters& query) {
  constexpr int kMissing = -1000;  // so that another operation of the path is preferred
  int points = 0;
  for (const Member& member : operation.input.shape->members) {
    if (!(member.flags & flags::kRequired)) continue;
    if (member.location == Location::kQuery) {
      points += find_in(query, member.in) != nullptr ? 2 : kMissing;
    } else if (member.location == Location::kHeader) {
      points += request.headers.find(member.in) != nullptr ? 2 : kMissing;
    }
  }
  return points;
}

}  // namespace

std::optional<PathLabels> match_path(std::string_view pattern, std::string_view path) {
  PathLabels labels;
  while (true) {
    const auto literal = pattern.substr(0, pattern.find('{'));
    pattern.remove_prefix(literal.size());
    if (!path.starts_with(literal)) {
      const bool lacks_slash = pattern.empty() && literal.ends_with('/') &&
                               path == literal.substr(0, literal.size() - 1);
      return lacks_slash ? std::optional(labels) : std::nullopt;
    }
    path.remove_prefix(literal.size());
    if (pattern.empty()) break;
    const auto close = pattern.find('}');
    auto label = pattern.substr(1, close - 1);
    pattern.remove_prefix(close + 1);
    auto size = std::min(path.find('/'), path.size());
    if (label.ends_with('+')) {
      label.remove_suffix(1);
      const auto next = pattern.substr(0, pattern.find('{'));
      size = next.empty() ? path.size() : path.rfind(next);
      if (size == std::string_view::npos) return {};
    }
    if (size == 0) return {};
    labels.emplace_back(label, path.substr(0, size));
    path.remove_prefix(size);
  }
  return path.empty() || path == "/" ? std::optional(labels) : std::nullopt;
}

const Operation* route_rest(const Service& service, const HttpRequest& request,
                            const Parameters& query) {
  const Operation* best = nullptr;
  int most = 0;
  for (const Operation& operation : service.operations) {
    if (operation.method != request.method || !match_path(operation.uri, request.path)) continue;
    const auto literals = literal_points(operation, query);
    if (!literals) continue;
    const int points = *literals + required_points(operation, request, query);
    if (best != nullptr && points <= most) continue;
    best = &operation;
    most = points;
  }
  return best;
}

}  // namespace api
