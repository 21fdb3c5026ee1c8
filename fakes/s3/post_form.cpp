#include "fakes/s3/post_form.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "base/text/lower_case.h"
#include "sim/cloud/error.h"

namespace fakes::s3 {
namespace {

using sim::cloud::ApiError;

constexpr std::string_view kMultipart = "multipart/form-data";

ApiError malformed() {
  return ApiError("MalformedPOSTRequest",
                  "The body of your POST request is not well-formed multipart/form-data.");
}

std::string body_of(const api::HttpRequest& request, const sim::objects::Body* long_body) {
  if (long_body == nullptr) return request.body;
  std::string body;
  sim::objects::each_part(
      *long_body, [&](std::span<const char> part) { body.append(part.data(), part.size()); });
  return body;
}

// The value of name="…" in a part's Content-Disposition.
std::optional<std::string> quoted_value(std::string_view head, std::string_view name) {
  const std::string start = " " + std::string(name) + "=\"";
  const auto begin = head.find(start);
  if (begin == head.npos) return {};
  const auto end = head.find('"', begin + start.size());
  if (end == head.npos) return {};
  return std::string(head.substr(begin + start.size(), end - begin - start.size()));
}

Form parse(std::string_view body, const std::string& boundary) {
  constexpr std::string_view kBlankLine = "\r\n\r\n";
  const std::string delimiter = "\r\n--" + boundary;
  Form form;
  if (!body.starts_with(std::string_view(delimiter).substr(2))) throw malformed();
  body.remove_prefix(delimiter.size() - 2);
  while (!form.file && !body.starts_with("--")) {
    const auto head_end = body.find(kBlankLine);
    const auto end = head_end == body.npos ? body.npos : body.find(delimiter, head_end + 2);
    if (end == body.npos) throw malformed();
    const std::string_view head = body.substr(0, head_end);
    const auto text_begin = std::min(head_end + kBlankLine.size(), end);
    const std::string text(body.substr(text_begin, end - text_begin));
    const auto name = quoted_value(head, "name");
    if (!name) throw malformed();
    if (*name == "file") {
      form.file = text;
      form.file_name = quoted_value(head, "filename").value_or("");
    } else {
      form.fields[base::lower_case(*name)] = text;
    }
    body.remove_prefix(end + delimiter.size());
  }
  return form;
}

}  // namespace

std::string Form::field(const std::string& name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? "" : found->second;
}

bool is_form_upload(const api::HttpRequest& request) {
  const std::string* const type = request.headers.find("content-type");
  return request.method == "POST" && type != nullptr && type->starts_with(kMultipart);
}

Form read_form(const api::HttpRequest& request, const sim::objects::Body* long_body) {
  constexpr std::string_view kBoundary = "boundary=";
  const std::string type = *request.headers.find("content-type");
  const auto at = type.find(kBoundary);
  if (at == type.npos) throw malformed();
  std::string boundary = type.substr(at + kBoundary.size());
  if (boundary.size() > 1 && boundary.front() == '"')
    boundary = boundary.substr(1, boundary.size() - 2);
  return parse(body_of(request, long_body), boundary);
}

}  // namespace fakes::s3
