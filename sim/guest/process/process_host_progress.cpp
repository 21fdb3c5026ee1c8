// Trainers that are heard by their logs.
#include "sim/events/event.h"
#include "sim/guest/process/process_host_state.h"

namespace sim::guest {
namespace {

constexpr int kMostPartsAtEnd = 64;  // of a log, each as LogTail reads it

}  // namespace

void ProcessHost::State::watch_progress(Machine& machine) {
  if (!config.progress || machine.instance.empty()) return;
  const ProgressRule& rule = *config.progress;
  const std::filesystem::path root = machine.sandbox.root();
  const bool console = rule.log == ProgressRule::kConsole;
  const auto file = console ? console_of(machine.name).path() : std::filesystem::path(rule.log);
  machine.progress = std::make_unique<Machine::Progress>(
      Machine::Progress{.log = LogTail(console ? "/" : root, file),
                        .files = {root, rule.checkpoint_files},
                        .reader = {}});
  machine.progress->reader.emplace(
      rule, progress_memory,
      [this, name = machine.name](std::string_view event, Json told) {
        Json fields{{"instance_id", name}};
        fields.update(told);
        if (const auto path = told.find("path"); path != told.end()) {
          const std::string of = path->get<std::string>();
          if (of.starts_with('/')) fields["disk"] = disk_of(name, of);
          // A path may have any bytes; the log holds UTF-8.
          fields = Json::parse(fields.dump(-1, ' ', false, Json::error_handler_t::replace));
        }
        log.append(simulation.now(), "trainer." + std::string(event), std::move(fields));
        if (const auto path = told.find("path"); path != told.end())
          saved(name, path->get<std::string>(), told["step"].get<std::int64_t>(),
                told.value("since", told["step"].get<std::int64_t>()));
      },
      [files = &machine.progress->files] { return files->newest_change(); });
}

bool ProcessHost::State::read_progress(Machine& machine) {
  if (!machine.progress) return false;
  const std::string text = machine.progress->log.read();
  machine.progress->reader->take(text);
  return !text.empty();
}

void ProcessHost::State::skip_progress_of_others(int guest) {
  Machine* const machine = machine_of(guest);
  if (machine && machine->progress) machine->progress->log.skip_what_was_mounted();
}

void ProcessHost::State::follow_copies() {
  copies.emplace(backend->objects, config.checkpoint_copies, [this](Json fields) {
    // A path may have any bytes; the log holds UTF-8.
    fields = Json::parse(fields.dump(-1, ' ', false, Json::error_handler_t::replace));
    log.append(simulation.now(), "checkpoint.copied", std::move(fields));
  });
  backend->objects.on_stored([this](const std::string& bucket, const std::string& key) {
    // What is uploaded may be a checkpoint that was not noticed yet.
    for (const auto& [name, machine] : machines)
      if (machine->progress) machine->progress->reader->look_at_files();
    copies->stored(bucket, key);
  });
}

// What containers have, SageMaker copies.
void ProcessHost::State::saved(const std::string& machine, const std::string& path,
                               std::int64_t step, std::int64_t since) {
  const auto at = machines.find(machine);
  if (at == machines.end() || at->second->output || !copies || !path.starts_with('/')) return;
  copies->saved(at->second->sandbox.root(),
                {.machine = machine, .path = path, .step = step, .since = since});
}

void ProcessHost::State::end_progress(Machine& machine) {
  if (!machine.progress) return;
  // Its programs may still write: there is an end to it.
  for (int part = 0; part < kMostPartsAtEnd && read_progress(machine); ++part) {
  }
  machine.progress->reader->end();
}

}  // namespace sim::guest
