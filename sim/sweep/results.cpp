#include "sim/sweep/results.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <fstream>

#include "sim/sweep/store.h"

namespace sim::sweep {
namespace {

namespace fs = std::filesystem;

constexpr double kHour = 3.6e12;  // nanoseconds

double hours(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / kHour; }

void replace(const fs::path& part, const fs::path& file) {
  std::error_code error;
  fs::rename(part, file, error);
  if (error)
    throw StoreError(fmt::format("{}: cannot be written: {}", file.string(), error.message()));
}

void write_text(const std::string& text, const fs::path& file) {
  const fs::path part = file.string() + ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw StoreError(file.string() + ": cannot be written");
  replace(part, file);
}

// A CSV file's lines as a table; text in quotes, as names hold no quotes.
void insert_csv(Database& db, const std::string& table, const std::string& csv) {
  std::size_t at = csv.find('\n');
  const std::string header = csv.substr(0, at);
  db.execute("CREATE TABLE " + table + "(" + header + ")");
  for (++at; at < csv.size();) {
    const std::size_t end = csv.find('\n', at);
    std::string values;
    for (std::size_t from = at; from <= end;) {
      const std::size_t comma = std::min(csv.find(',', from), end);
      const std::string field = csv.substr(from, comma - from);
      const bool number = !field.empty() && field.find_first_not_of("0123456789.-") == field.npos;
      values += (values.empty() ? "" : ",") + (number ? field : "'" + field + "'");
      from = comma + 1;
    }
    db.execute("INSERT INTO " + table + " VALUES(" + values + ")");
    at = end + 1;
  }
}

void write_database(const std::string& runs, const std::string& summary, const fs::path& file) {
  const fs::path part = file.string() + ".part";
  std::error_code ignored;
  fs::remove(part, ignored);
  {
    Database db(part);
    db.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
    insert_csv(db, "runs", runs);
    insert_csv(db, "summary", summary);
    db.execute("COMMIT");
  }
  replace(part, file);
}

std::string fields_of(const Distribution& d) {
  return fmt::format("{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f}", d.mean, d.sd, d.p5, d.p50, d.p95,
                     d.half_width_95);
}

std::string columns_of(const std::string& name) {
  std::string text;
  for (const char* part : {"mean", "sd", "p5", "p50", "p95", "ci95"})
    text += fmt::format(",{}_{}", name, part);
  return text;
}

}  // namespace

std::string describe(const TickJob& job) {
  std::string text = fmt::format("work={} deadline={} changeover={} on_demand={} spot={}",
                                 format_duration(job.work), format_duration(job.deadline),
                                 format_duration(job.changeover), market::format_usd(job.on_demand),
                                 market::format_usd(job.spot));
  if (job.checkpoint_interval > Duration::zero() || job.checkpoint_cost > Duration::zero()) {
    text +=
        fmt::format(" checkpoint_interval={} checkpoint_cost={}",
                    format_duration(job.checkpoint_interval), format_duration(job.checkpoint_cost));
  }
  return text;
}

std::string summary_csv(const Grid& grid, const std::vector<Summary>& summaries) {
  std::string text = "setting,policy,n" + columns_of("cost_usd") + columns_of("makespan_h") +
                     ",on_demand_h,spot_h,lost_h,checkpoint_h,launches,interruptions,miss_rate,"
                     "savings" +
                     columns_of("dearer_than_first_usd") + columns_of("gap_to_optimum") +
                     ",pareto\n";
  for (const Summary& s : summaries) {
    text += fmt::format(
        "{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{},{},{}\n",
        describe(grid.settings[static_cast<std::size_t>(s.setting)]),
        grid.policies[static_cast<std::size_t>(s.policy)], s.cost.n, fields_of(s.cost),
        fields_of(s.makespan), s.on_demand_hours, s.spot_hours, s.lost_hours, s.checkpoint_hours,
        s.launches, s.interruptions, s.miss_rate, s.savings, fields_of(s.dearer), fields_of(s.gap),
        s.pareto ? 1 : 0);
  }
  return text;
}

std::string runs_csv(const Grid& grid, const std::vector<Row>& rows) {
  std::string text =
      "setting,market,number,policy,finished,deadline_met,cost_usd,makespan_h,on_demand_h,spot_h,"
      "changeover_h,checkpoint_h,lost_h,waiting_h,launches,interruptions\n";
  for (const Row& r : rows) {
    const Window& window = grid.windows[static_cast<std::size_t>(r.window)];
    fmt::format_to(std::back_inserter(text),
                   "{},{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{},{}\n",
                   describe(grid.settings[static_cast<std::size_t>(r.setting)]), window.market,
                   window.number, grid.policies[static_cast<std::size_t>(r.policy)], r.finished,
                   r.deadline_met, market::format_usd({r.cost_nano_usd}), hours(r.makespan),
                   hours(r.on_demand_work), hours(r.spot_work), hours(r.changeover),
                   hours(r.checkpoint), hours(r.lost), hours(r.waiting), r.launches,
                   r.interruptions);
  }
  return text;
}

void write_results(const Grid& grid, const std::vector<Row>& rows,
                   const std::vector<Summary>& summaries, const fs::path& folder) {
  const std::string runs = runs_csv(grid, rows), summary = summary_csv(grid, summaries);
  write_text(runs, folder / "runs.csv");
  write_text(summary, folder / "summary.csv");
  write_database(runs, summary, folder / "results.db");
}

}  // namespace sim::sweep
