// Credential reports. A report is complete at once: the answer STARTED says that it is new.
#include "sim/iam/credential_report.h"

#include "fakes/iam/actions.h"

namespace fakes::iam {
namespace {

// A report younger than this is not made again (IAM User Guide, "Generate credential reports for
// your AWS account").
constexpr auto kKept = std::chrono::hours{4};

op::GenerateCredentialReport::Response generate_report(
    Call& call, const op::GenerateCredentialReport::Request&) {
  auto& report = call.backend.iam->credential_report();
  op::GenerateCredentialReport::Response response;
  response.state = "COMPLETE";
  if (report && call.now < report->generated + kKept) return response;
  response.state = "STARTED";
  if (!report) response.description = "No report exists. Starting a new report generation task";
  report = {.generated = call.now, .csv = sim::iam::credential_csv(*call.backend.iam)};
  return response;
}

op::GetCredentialReport::Response get_report(Call& call, const op::GetCredentialReport::Request&) {
  constexpr int kGone = 410;
  const auto& report = call.backend.iam->credential_report();
  if (!report)
    throw ApiError("ReportNotPresent",
                   "No report exists. Please call GenerateCredentialReport before calling "
                   "GetCredentialReport.",
                   kGone);
  if (call.now >= report->generated + kKept)
    throw ApiError("ReportExpired",
                   "The most recent credential report has expired. Please call "
                   "GenerateCredentialReport.",
                   kGone);
  op::GetCredentialReport::Response response;
  response.content = report->csv;
  response.generated_time = timestamp(std::chrono::floor<std::chrono::seconds>(report->generated));
  response.report_format = "text/csv";
  return response;
}

}  // namespace

std::vector<ActionRow> credential_report_actions() {
  return {action<op::GenerateCredentialReport, generate_report>(),
          action<op::GetCredentialReport, get_report>()};
}

}  // namespace fakes::iam
