// Queues and the colors that they carry: bound when the program is compiled, or named by descriptors.
#include <algorithm>

#include "backend/wafer/csl_reader/processor_host.h"
#include "machine/mesh.h"

namespace muster::wafer::csl {

namespace {

std::string_view side_name(bool in) { return in ? "input" : "output"; }

}  // namespace

/// Where no output queue is bound, any color may use any of them, the host's library's included.
void ProcessorHost::check_queue(bool in, std::int64_t queue, const Location& location) const {
  if (!in && !options_.mesh.queues_are_bound) return;
  const auto& reserved = options_.mesh.reserved_queues;
  if (std::find(reserved.begin(), reserved.end(), queue) == reserved.end()) return;
  fail(location, "the {} queue {} belongs to the host's library", side_name(in), queue);
}

/// As the vendor documents it: an input queue needs its color; an output queue has one where queues are bound, and none
/// elsewhere.
void ProcessorHost::initialize_queue(const Node& call, std::span<const Value> arguments) {
  const bool in = arguments[0].is(ValueKind::input_queue);
  if (!in && !arguments[0].is(ValueKind::output_queue)) {
    fail(call.location, "@initialize_queue of {}", describe(arguments[0]));
  }
  const std::int64_t queue = arguments[0].number;
  const bool takes_color = in || options_.mesh.queues_are_bound;
  if (takes_color != (arguments.size() > 1)) {
    fail(call.location, "{} queue {}: {} binds {} queues to {}; is this a program for another architecture?",
         side_name(in), queue, options_.mesh.architecture, side_name(in), takes_color ? "colors" : "no color");
  }
  check_queue(in, queue, call.location);
  int color = -1;
  if (takes_color) {
    const Value* given =
        arguments[1].is(ValueKind::structure) ? object_of<Record>(arguments[1]).find("color") : nullptr;
    if (given == nullptr || !given->is(ValueKind::color)) fail(call.location, "@initialize_queue: expected .color");
    color = static_cast<int>(given->number);
  }
  const auto [known, added] = (in ? input_colors_ : output_colors_).emplace(queue, color);
  if (added) return;
  const bool differs = known->second != color;
  fail(call.location, "{} queue {} is bound twice{}", side_name(in), queue,
       differs ? fmt::format(", to color {} and to color {}", known->second, color) : "");
}

/// The color of a descriptor that an instruction uses.
int ProcessorHost::color_of(const Descriptor& descriptor) {
  const bool in = descriptor.kind == DescriptorKind::fabric_in;
  const Mesh& mesh = options_.mesh;
  const auto& colors = in ? input_colors_ : output_colors_;
  const auto bound = colors.find(descriptor.queue);
  const bool is_bound = bound != colors.end() && bound->second >= 0;
  check_queue(in, descriptor.queue, descriptor.location);
  if (mesh.queues_are_bound && !is_bound) {
    const bool none = input_colors_.empty() && output_colors_.empty();
    fail(descriptor.location, "the {} queue {} is bound to no color; the program would deadlock{}", side_name(in),
         descriptor.queue,
         none ? fmt::format(". No queue is bound: is this a program for another architecture than {}?",
                            mesh.architecture)
              : "");
  }
  if (is_bound && descriptor.color >= 0 && descriptor.color != bound->second) {
    fail(descriptor.location, "the descriptor names color {}, but its queue is bound to color {}", descriptor.color,
         bound->second);
  }
  if (is_bound) return bound->second;
  if (descriptor.color < 0) {
    fail(descriptor.location, "the descriptor has no color, and {} binds no queue to one here", mesh.architecture);
  }
  auto& used = in ? input_used_ : output_used_;
  const auto [known, added] = used.try_emplace(descriptor.queue, descriptor.color);
  if (descriptor.queue >= 0 && known->second != descriptor.color) {
    fail(descriptor.location, "the {} queue {} is used for color {} and for color {}; a queue has one", side_name(in),
         descriptor.queue, known->second, descriptor.color);
  }
  for (const auto& [queue, color] : used) {
    if (color != descriptor.color || queue == descriptor.queue) continue;
    fail(descriptor.location, "color {} uses the {} queues {} and {}; nothing orders what the two hold", color,
         side_name(in), queue, descriptor.queue);
  }
  if (in) check_received(descriptor);
  return static_cast<int>(descriptor.color);
}

/// A color that is received without a bound queue is the id of a task, too.
void ProcessorHost::check_received(const Descriptor& descriptor) const {
  const auto task = tasks_.find(descriptor.color);
  if (task != tasks_.end() && task->second.declaration != nullptr) {
    fail(descriptor.location,
         "color {} is received here, and a task has the id {}; on {} these are the same, use another", descriptor.color,
         descriptor.color, options_.mesh.architecture);
  }
}

}  // namespace muster::wafer::csl
