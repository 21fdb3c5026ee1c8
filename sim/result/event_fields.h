// Fields of a line of the log, however it is told.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "sim/kernel/event.h"
#include "sim/kernel/event_log.h"

namespace sim::run {

template <class T>
concept Told = std::same_as<T, Event> || std::same_as<T, PlainEvent>;

// The field of that name where it is a text; empty where it is not, and where there is none. Valid
// as long as the event.
std::string_view text(const Event& event, std::string_view name);
std::string_view text(const PlainEvent& event, std::string_view name);
// Where it is a whole number; else 0.
std::int64_t whole(const Event& event, std::string_view name);
std::int64_t whole(const PlainEvent& event, std::string_view name);
// Where it is a number; else 0.
double number(const Event& event, std::string_view name);
double number(const PlainEvent& event, std::string_view name);

}  // namespace sim::run
