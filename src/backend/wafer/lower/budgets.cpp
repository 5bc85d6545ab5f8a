// Budgets of the lowering: hardware colors, memory and queues. Going over one names it, what was needed and what would
// fit.
#include <algorithm>
#include <set>

#include "backend/wafer/directions.h"
#include "backend/wafer/lower/lower.h"
#include "base/index.h"
#include "base/saturating.h"

namespace muster::wafer {
namespace {

bool contains(const std::vector<std::int32_t>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<bool> switched_colors(const Switching& switching, int count) {
  std::vector<bool> switched(at(count), false);
  for (const ColorRoute& route : switching.routes) {
    if (route.count > 1) switched[static_cast<std::size_t>(route.color)] = true;
  }
  return switched;
}

/// Hardware colors for `order`, lowest free first; fewer than asked if the switchable ones run out.
std::vector<int> pick_colors(const std::vector<int>& order, const std::vector<bool>& switched, const Mesh& mesh) {
  std::vector<int> chosen(switched.size(), -1);
  std::vector<bool> taken(at(mesh.colors), false);
  for (const int color : order) {
    for (int hardware = 0; hardware < mesh.colors; ++hardware) {
      if (taken[at(hardware)] || contains(mesh.reserved_colors, hardware)) continue;
      if (switched[at(color)] && !contains(mesh.switch_colors, hardware)) continue;
      taken[at(hardware)] = true;
      chosen[at(color)] = hardware;
      break;
    }
  }
  return chosen;
}

/// The whole extent of every buffer that a processor of the class touches; at most what can be counted.
std::int64_t words_used(const WaferProgram& program, const ProcessorClass& c) {
  std::set<Buffer> used;
  for (const Operation& o : c.operations) used.insert({o.own, o.store, o.sent});
  std::int64_t words = 0;
  for (const Buffer b : used) {
    if (b != Buffer::none) words = saturating_sum(words, program.extent[static_cast<std::size_t>(b) - 1]);
  }
  return words;
}

std::string at_processor(const WaferProgram& program, std::size_t class_index) {
  const auto found =
      std::find(program.class_of.begin(), program.class_of.end(), static_cast<std::int32_t>(class_index));
  return place_text(program.mesh(), static_cast<NodeId>(found - program.class_of.begin()));
}

int free_queues(const Mesh& mesh, int queues) {
  return queues - static_cast<int>(std::count_if(mesh.reserved_queues.begin(), mesh.reserved_queues.end(),
                                                 [&](std::int32_t q) { return q < queues; }));
}

}  // namespace

Outcome<std::vector<int>> choose_hardware_colors(const Switching& switching, int count, const Mesh& mesh,
                                                 const LowerOptions& options) {
  const int reserved = static_cast<int>(std::count_if(mesh.reserved_colors.begin(), mesh.reserved_colors.end(),
                                                      [&](std::int32_t c) { return c < mesh.colors; }));
  const int free = mesh.colors - reserved;
  if (count > free - options.reserved_channels) {
    const std::string what = count > kMaxColors ? fmt::format("more than {}", kMaxColors) : std::to_string(count);
    const std::string fits = count <= free ? fmt::format("reserve at most {}", free - count)
                                           : fmt::format("a program may use at most {}", free);
    return Refusal{fmt::format(
        "colors: {} needed, {} left of {} ({} reserved by the host library, {} for your program); {}", what,
        std::max(0, free - options.reserved_channels), mesh.colors, reserved, options.reserved_channels, fits)};
  }
  const std::vector<bool> switched = switched_colors(switching, count);
  std::vector<int> order(at(count));
  for (int c = 0; c < count; ++c) order[at(c)] = c;
  std::vector<int> colors = pick_colors(order, switched, mesh);
  if (std::count(colors.begin(), colors.end(), -1) == 0) return colors;

  std::stable_partition(order.begin(), order.end(), [&](int c) { return switched[at(c)]; });
  colors = pick_colors(order, switched, mesh);
  const auto missing = std::count(colors.begin(), colors.end(), -1);
  if (missing == 0) return colors;
  const auto needed = std::count(switched.begin(), switched.end(), true);
  return Refusal{fmt::format("colors with switches: {} needed, {} free of the {} that this machine has", needed,
                             needed - missing, mesh.switch_colors.size())};
}

std::optional<std::string> over_budget(const WaferProgram& program) {
  const Mesh& mesh = program.mesh();
  const std::int64_t word = mesh.wavelet.value();
  for (std::size_t i = 0; i < program.classes.size(); ++i) {
    const ProcessorClass& c = program.classes[i];
    const std::int64_t words = words_used(program, c);
    if (words > mesh.memory.value() / word) {
      return fmt::format("memory of {}: {} bytes needed for {} words, {} bytes there: at most {} words fit",
                         at_processor(program, i), saturating_product(words, word), words, mesh.memory.value(),
                         mesh.memory.value() / word);
    }
    std::set<std::int8_t> in, out;
    for (const Operation& o : c.operations) {
      for (const std::int8_t color : o.operands) {
        if (color != kOwnOperand) in.insert(color);
      }
      for (const Output& output : o.outputs) out.insert(output.color);
    }
    const int in_free = free_queues(mesh, mesh.input_queues), out_free = free_queues(mesh, mesh.output_queues);
    if (static_cast<int>(in.size()) > in_free || static_cast<int>(out.size()) > out_free) {
      return fmt::format("queues of {}: {} input and {} output queues needed, {} and {} free", at_processor(program, i),
                         in.size(), out.size(), in_free, out_free);
    }
  }
  return {};
}

}  // namespace muster::wafer
