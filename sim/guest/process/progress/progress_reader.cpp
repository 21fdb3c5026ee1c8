#include "sim/guest/process/progress/progress_reader.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "sim/events/event.h"

namespace sim::guest {
namespace {

constexpr std::size_t kLongestLogLine = 4096;
constexpr std::int64_t kMostSteps = 1'000'000'000;

// Negative: not a number, or too large to be a count.
std::int64_t number_in(const std::optional<std::string>& text) {
  std::int64_t n = -1;
  if (!text) return n;
  const char* const end = text->data() + text->size();
  const auto read = std::from_chars(text->data(), end, n);
  return read.ec == std::errc() && read.ptr == end && n <= kMostSteps ? n : -1;
}

}  // namespace

std::string without_controls(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\x1b[") {
      // Up to its final byte.
      for (i += 2; i < text.size() && (text[i] < '@' || text[i] > '~'); ++i) {
      }
    } else if (text[i] != '\b') {
      out += text[i];
    }
  }
  return out;
}

void ProgressReader::take(std::string_view text) {
  rest_ += text;
  std::size_t begin = 0;
  for (std::size_t end; (end = rest_.find_first_of("\n\r", begin)) != std::string::npos;
       begin = end + 1)
    line(rest_.substr(begin, end - begin));
  rest_.erase(0, begin);
  if (rest_.size() > kLongestLogLine) return line(std::exchange(rest_, {}));
  unfinished_line();
}

// A progress bar's line ends only when the next one begins.
void ProgressReader::unfinished_line() {
  if (!rest_.empty() && rule_.step) counts(without_controls(rest_), true);
}

void ProgressReader::end() {
  if (!rest_.empty()) line(std::exchange(rest_, {}));
  look_at_files();
}

void ProgressReader::line(std::string text) {
  text.resize(std::min(text.size(), kLongestLogLine));
  text = without_controls(text);
  counts(text, false);
  if (rule_.checkpoint)
    if (const auto found = rule_.checkpoint->find(text)) checkpoint_line(*found);
  if (rule_.finished && rule_.finished->find(text)) finish();
}

// Of an unfinished line, what reaches to its end may go on: a number may have more digits.
void ProgressReader::counts(const std::string& text, bool unfinished) {
  const auto find = [&](const std::optional<LinePattern>& pattern) {
    auto found = pattern ? pattern->find(text) : std::nullopt;
    return found && unfinished && found->at_end() ? std::nullopt : std::move(found);
  };
  const auto epoch = find(rule_.epoch), step = find(rule_.step);
  if (!read_state(text) && unfinished) return;
  if (unfinished && !step) return;
  if (const auto found = find(rule_.start)) start_line(*found, epoch);
  if (step) {
    const std::int64_t number = number_in(step->group("number", 1));
    const std::int64_t total = number_in(step->group("total", 2));
    epoch ? epoch_and_step_line(*epoch, number, total) : step_line(number, total);
  } else if (epoch) {
    epoch_line(number_in(epoch->group("number", 1)), number_in(epoch->group("total", 2)));
  }
}

bool ProgressReader::read_state(const std::string& text) {
  state_.clear();
  if (!rule_.state) return true;
  const auto found = rule_.state->find(text);
  if (found) state_ = found->group("state", 1).value_or("");
  return !found || !found->at_end();
}

void ProgressReader::start_line(const LinePattern::Match& found,
                                const std::optional<LinePattern::Match>& epoch) {
  std::int64_t step = number_in(found.group("step", 1));
  const std::int64_t total = number_in(found.group("total", 2));
  if (total >= 0 && is_of_another_bar(total)) return;
  if (rule_.bar && epoch) {
    // Each epoch has a bar of its own, and training continues where the last one ended.
    if (memory_.epoch_steps == 0) memory_.epoch_steps = std::max<std::int64_t>(total, 0);
    const std::int64_t number = number_in(epoch->group("number", 1)) - rule_.first;
    step =
        std::max<std::int64_t>(number, 0) * memory_.epoch_steps + std::max<std::int64_t>(step, 0);
    if (began_ && step >= done_) return;
  }
  // The step after which training resumes was reported already.
  if (began_ && done_ == began_at_ && (step < 0 || step == done_)) return;
  begin(std::max<std::int64_t>(step, 0));
}

void ProgressReader::epoch_line(std::int64_t number, std::int64_t total) {
  const std::int64_t epoch = number - rule_.first + 1;
  if (number < 0 || epoch < 1) return;
  if (epoch < epoch_) began_ = false;  // training began again
  epoch_ = epoch;
  if (total > 0) total_ = total;
  const std::int64_t steps = rule_.step ? memory_.epoch_steps : 1;
  if (steps == 0 && epoch > 1) return;  // the first step shows the number of steps
  const std::int64_t before = (epoch - 1) * steps;
  began_ ? reach(before) : begin(before);
  look_at_files();
}

void ProgressReader::step_line(std::int64_t number, std::int64_t total) {
  if (number < 0 || is_of_another_bar(total)) return;
  std::int64_t step = number - rule_.first + 1;
  if (rule_.epoch) {
    // Another total belongs to another bar, such as an evaluation's.
    if (epoch_ == 0 || finished_) return;
    if (memory_.epoch_steps == 0 && total > 0) memory_.epoch_steps = total;
    if (total != memory_.epoch_steps || number > total) return;
    step = (epoch_ - 1) * total + number;
  } else if (total > 0) {
    total_ = total;
  }
  go_on(step, rule_.epoch ? (epoch_ - 1) * total : 0);
}

void ProgressReader::epoch_and_step_line(const LinePattern::Match& found, std::int64_t step,
                                         std::int64_t total) {
  const std::int64_t number = number_in(found.group("number", 1));
  const std::int64_t epochs = number_in(found.group("total", 2));
  const std::int64_t epoch = number - rule_.first + 1;
  if (epochs > 0) total_ = epochs;
  if (number < 0 || epoch < 1 || step < 0 || total < 1 || step > total) return;
  if (memory_.epoch_steps == 0) memory_.epoch_steps = total;
  // A bar is drawn before its first step, and once more with the last epoch's number.
  if (total != memory_.epoch_steps || step == 0) return;
  epoch_ = epoch;
  go_on((epoch - 1) * total + step, (epoch - 1) * total);
}

// A total other than the first belongs to another bar.
bool ProgressReader::is_of_another_bar(std::int64_t total) {
  if (!rule_.bar) return false;
  if (memory_.bar_total == 0) memory_.bar_total = total;
  return total != memory_.bar_total || finished_;
}

// A step is done, of training that begins at the earliest there.
void ProgressReader::go_on(std::int64_t step, std::int64_t earliest) {
  if (rule_.bar && step == 0) return;          // it is drawn before the first step
  if (began_ && step < done_) began_ = false;  // training began again
  if (!began_) begin(std::max(earliest, last_told_before(step)));
  reach(step);
}

void ProgressReader::checkpoint_line(const LinePattern::Match& found) {
  const auto path = found.group("path", 1);
  if (!path || path->empty()) return;
  const std::int64_t step = number_in(found.group("step", 2));
  if (step >= 0) {
    if (!began_) begin(last_told_before(step));
    reach(step);
  }
  const auto file = path->starts_with("s3://")
                        ? *path
                        : (std::filesystem::path(rule_.folder) / *path).lexically_normal().string();
  tell_checkpoint(step >= 0 ? step : done_, {{"path", file}});
}

void ProgressReader::tell_checkpoint(std::int64_t step, Json fields) {
  memory_.told.insert(step);
  fields["step"] = step;
  tell_("checkpoint-written", std::move(fields));
}

void ProgressReader::look_at_files() {
  if (!began_) return;  // what is there is another machine's
  const std::int64_t looked = std::exchange(looked_, done_);
  const std::string file = new_file_ ? new_file_() : "";
  if (file.empty()) return;
  Json fields{{"path", file}};
  if (looked < done_) fields["since"] = looked;
  tell_checkpoint(done_, std::move(fields));
}

std::int64_t ProgressReader::total_steps() const {
  return rule_.epoch && rule_.step ? total_ * memory_.epoch_steps : total_;
}

// If a log has only every tenth step, training that resumes after step 40 shows step 50. If there
// was a checkpoint of step 45, training resumes after that.
std::int64_t ProgressReader::last_told_before(std::int64_t step) const {
  const auto after = memory_.told.lower_bound(step);
  return after == memory_.told.begin() ? 0 : *std::prev(after);
}

void ProgressReader::begin(std::int64_t step) {
  began_ = true;
  finished_ = false;
  done_ = looked_ = began_at_ = step;
  if (new_file_) new_file_();  // what others left is not news
  Json fields{{"step", step}};
  if (total_steps() > 0) fields["total_steps"] = total_steps();
  tell_("start", std::move(fields));
}

void ProgressReader::reach(std::int64_t step) {
  if (step <= done_) return;
  done_ = step;
  memory_.told.insert(step);
  Json fields{{"step", step}};
  if (total_steps() > 0) fields["total_steps"] = total_steps();
  if (!state_.empty()) fields["state"] = state_;
  tell_("step", std::move(fields));
  look_at_files();
  if (!rule_.finished && step == total_steps()) finish();
}

void ProgressReader::finish() {
  if (finished_) return;
  if (!rule_.step) reach(total_);  // the last epoch's end
  if (std::exchange(finished_, true)) return;
  tell_("finished", {{"step", done_}});
  look_at_files();
}

}  // namespace sim::guest
