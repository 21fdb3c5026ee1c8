#include "sim/guest/process/parts/trainer_progress.h"

#include "sim/events/event.h"

namespace sim::guest {
namespace {

constexpr int kMostPartsAtEnd = 64;  // of a log, each as LogTail reads it

}  // namespace

TrainerProgress::TrainerProgress(HostContext& context, const Machines& machines, Consoles& consoles,
                                 const Devices& devices)
    : context_(context), machines_(machines), consoles_(consoles), devices_(devices) {}

void TrainerProgress::watch(Machine& machine) {
  if (!context_.config.progress || machine.instance.empty()) return;
  const ProgressRule& rule = *context_.config.progress;
  const std::filesystem::path root = machine.sandbox.root();
  const bool console = rule.log == ProgressRule::kConsole;
  const auto file = console ? consoles_.of(machine.name).path() : std::filesystem::path(rule.log);
  machine.progress = std::make_unique<Machine::Progress>(
      Machine::Progress{.log = LogTail(console ? "/" : root, file),
                        .files = {root, rule.checkpoint_files},
                        .reader = {}});
  machine.progress->reader.emplace(
      rule, memory_,
      [this, name = machine.name](std::string_view event, Json told) {
        Json fields{{"instance_id", name}};
        fields.update(told);
        if (const auto path = told.find("path"); path != told.end()) {
          const std::string of = path->get<std::string>();
          if (of.starts_with('/')) fields["disk"] = devices_.disk_of(name, of);
          // A path may have any bytes; the log holds UTF-8.
          fields = Json::parse(fields.dump(-1, ' ', false, Json::error_handler_t::replace));
        }
        context_.log.append(context_.simulation.now(), "trainer." + std::string(event),
                            std::move(fields));
        if (const auto path = told.find("path"); path != told.end())
          saved(name, path->get<std::string>(), told["step"].get<std::int64_t>(),
                told.value("since", told["step"].get<std::int64_t>()));
      },
      [files = &machine.progress->files] { return files->newest_change(); });
}

bool TrainerProgress::read(Machine& machine) {
  if (!machine.progress) return false;
  const std::string text = machine.progress->log.read();
  machine.progress->reader->take(text);
  return !text.empty();
}

void TrainerProgress::skip_what_was_mounted(Machine& machine) {
  if (machine.progress) machine.progress->log.skip_what_was_mounted();
}

void TrainerProgress::look_at_files(Machine& machine) {
  if (machine.progress) machine.progress->reader->look_at_files();
}

void TrainerProgress::follow_copies() {
  copies_.emplace(context_.backend->objects, context_.config.checkpoint_copies,
                  [this](events::CheckpointCopied event) {
                    event.time = context_.simulation.now();
                    context_.log.append(event);
                  });
  context_.backend->objects.on_stored([this](const std::string& bucket, const std::string& key) {
    // What is uploaded may be a checkpoint that was not noticed yet.
    for (const auto& [name, machine] : machines_.all()) look_at_files(*machine);
    copies_->stored(bucket, key);
  });
}

void TrainerProgress::saved(const std::string& machine, const std::string& path, std::int64_t step,
                            std::int64_t since) {
  const Machine* const found = machines_.find(machine);
  if (!found || found->output || !copies_ || !path.starts_with('/')) return;
  copies_->saved(found->sandbox.root(),
                 {.machine = machine, .path = path, .step = step, .since = since});
}

void TrainerProgress::end(Machine& machine) {
  if (!machine.progress) return;
  // Programs of the machine may still write, so the number of reads has a limit.
  for (int part = 0; part < kMostPartsAtEnd && read(machine); ++part) {
  }
  machine.progress->reader->end();
}

}  // namespace sim::guest
