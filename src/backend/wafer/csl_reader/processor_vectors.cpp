// Vector instructions: their operands, what they wait for, and what their end sets off.
#include <algorithm>

#include "backend/wafer/control_payload.h"
#include "backend/wafer/csl_reader/callback.h"
#include "backend/wafer/csl_reader/processor_host.h"
#include "base/index.h"

namespace muster::wafer::csl {

namespace {

struct Meaning {
  std::optional<Operator> op;
  int bits = 32;
  bool real = true;  ///< its memory must hold floating-point numbers
};

Meaning meaning_of(Builtin builtin) {
  switch (builtin) {
    case Builtin::fmovh:
      return {.bits = 16};
    case Builtin::mov32:
      return {.real = false};
    case Builtin::mov16:
      return {.bits = 16, .real = false};
    case Builtin::fadds:
      return {.op = Operator::sum};
    case Builtin::faddh:
      return {.op = Operator::sum, .bits = 16};
    case Builtin::fmaxs:
      return {.op = Operator::max};
    case Builtin::fmaxh:
      return {.op = Operator::max, .bits = 16};
    case Builtin::fsubs:
    case Builtin::fmacs:
      return {.op = Operator::sum};
    case Builtin::fmuls:
      return {.op = Operator::prod};
    case Builtin::fmulh:
      return {.op = Operator::prod, .bits = 16};
    default:
      return {};
  }
}

const Value* setting(const Value* settings, std::string_view name) {
  return settings == nullptr ? nullptr : object_of<Record>(*settings).find(name);
}

bool flag(const Value* settings, std::string_view name, const Location& location) {
  const Value* value = setting(settings, name);
  if (value != nullptr && !value->is(ValueKind::boolean)) fail(location, "{}: expected a bool", name);
  return value != nullptr && value->truth();
}

bool is_number(const Value& value) { return value.is(ValueKind::integer) || value.is(ValueKind::real); }

float number_of(const Value& value, const Location& location) {
  if (!is_number(value)) fail(location, "expected a number, found {}", describe(value));
  return static_cast<float>(value.is(ValueKind::real) ? value.real() : static_cast<double>(value.number));
}

/// "reduce.csl:buffer", and behind it which copy of the file's variables it is if there are several.
std::string own_name(const Variable& variable) {
  const Instance& instance = *variable.instance;
  return fmt::format("{}:{}{}", instance.file().name, instance.file().declarations[at(variable.global)].name,
                     instance.copy() == 0 ? "" : fmt::format("#{}", instance.copy() + 1));
}

void check_settings(const Value& settings, const Location& location) {
  if (!settings.is(ValueKind::structure) || object_of<Record>(settings).names == nullptr) {
    fail(location, "expected settings as .{{ .async = true }}, found {}", describe(settings));
  }
  for (const std::string& name : *object_of<Record>(settings).names) {
    if (name != "async" && name != "activate" && name != "unblock" && name != "priority" && name != "ut_id") {
      fail(location, "the setting '{}' is not supported", name);
    }
  }
}

}  // namespace

/// The task that a setting names: by its id, or by its own name ("Completion of Asynchronous DSD Operations").
std::optional<std::int64_t> ProcessorHost::task_of(const Value* settings, std::string_view name,
                                                   const Location& location) const {
  const Value* value = setting(settings, name);
  if (value == nullptr) return std::nullopt;
  if (value->is(ValueKind::task_id)) return value->number;
  if (!value->is(ValueKind::function)) {
    fail(location, "{}: expected a task or a task id, found {}", name, describe(*value));
  }
  const auto& named = object_of<FunctionOf>(*value);
  if (named.declaration->kind != DeclarationKind::task) {
    fail(location, "{}: '{}' is a function, not a task", name, named.declaration->name);
  }
  const auto is_named = [&](const auto& entry) {
    return entry.second.declaration == named.declaration && entry.second.instance == named.instance;
  };
  const auto bound = std::find_if(tasks_.begin(), tasks_.end(), is_named);
  if (bound == tasks_.end()) {
    fail(location, "{}: the task '{}' is bound to no id; use @bind_local_task", name, named.declaration->name);
  }
  if (std::find_if(std::next(bound), tasks_.end(), is_named) != tasks_.end()) {
    fail(location, "{}: the task '{}' is bound to several ids; name the id", name, named.declaration->name);
  }
  return bound->first;
}

std::int32_t ProcessorHost::memory_index(Evaluator& evaluator, const Variable& variable, const Location& location) {
  const auto known = memory_of_.find(variable);
  if (known != memory_of_.end()) return known->second;
  const Value& value = evaluator.variable(variable, location);
  if (!value.is(ValueKind::array)) fail(location, "expected an array, found {}", describe(value));
  const auto& array = object_of<Array>(value);
  const auto exported = exported_memories_.find(variable);
  Memory memory;
  memory.exported = exported != exported_memories_.end();
  memory.name = memory.exported ? exported->second : own_name(variable);
  memory.elements = array.size();
  memory.type = array.element;
  memories.push_back(std::move(memory));
  return memory_of_[variable] = static_cast<std::int32_t>(memories.size()) - 1;
}

void ProcessorHost::add_memory(Evaluator& evaluator, Instruction& instruction, const Descriptor& descriptor,
                               bool destination) {
  const Walk& walk = descriptor.walk;
  const MemoryWalk location{memory_index(evaluator, walk.variable, descriptor.location), walk.first, walk.stride};
  const Memory& memory = memories[at(location.memory)];
  const std::int64_t last = walk.first + walk.stride * (walk.extent - 1);
  if (std::min(walk.first, last) < 0 || std::max(walk.first, last) >= memory.elements) {
    fail(descriptor.location, "elements {} to {} of '{}', which has {}", walk.first, last, memory.name,
         memory.elements);
  }
  if (destination) {
    instruction.stores = location;
    stored_.insert(walk.variable);
  } else {
    instruction.sources.push_back(location);
  }
}

void ProcessorHost::add_end(Evaluator& evaluator, Instruction& instruction, Ends& ends, const Value& value,
                            bool destination) {
  if (!value.is(ValueKind::descriptor)) {
    fail(instruction.location, "expected a descriptor, found {}", describe(value));
  }
  const auto& descriptor = object_of<Descriptor>(value);
  if (instruction.extent != 0 && instruction.extent != descriptor.walk.extent) {
    fail(instruction.location, "descriptors of {} and {} elements in one instruction", instruction.extent,
         descriptor.walk.extent);
  }
  instruction.extent = descriptor.walk.extent;
  switch (descriptor.kind) {
    case DescriptorKind::memory:
      add_memory(evaluator, instruction, descriptor, destination);
      return;
    case DescriptorKind::fabric_in:
      if (destination) fail(instruction.location, "a fabin_dsd cannot be a destination");
      if (ends.fabric_in != nullptr)
        fail(instruction.location, "an instruction that receives two colors is not supported");
      instruction.takes.push_back(color_of(descriptor));
      ends.fabric_in = &descriptor;
      break;
    case DescriptorKind::fabric_out:
      if (!destination) fail(instruction.location, "a fabout_dsd cannot be a source");
      instruction.sends = color_of(descriptor);
      instruction.advances = descriptor.advance_switch;
      ends.fabric_out = &descriptor;
      break;
  }
  instruction.packs_two |= descriptor.packs_two;
}

/// Instructions in progress must not share a queue, nor a thread: it has the number of the queue that is written to, else
/// of the one that is read.
void ProcessorHost::check_thread(const UnderWay& started) const {
  const auto thread = [](const UnderWay& u) {
    return u.thread >= 0 ? u.thread : u.out_queue >= 0 ? u.out_queue : u.in_queue;
  };
  for (const UnderWay& other : under_way_) {
    const bool queue = (started.in_queue >= 0 && started.in_queue == other.in_queue) ||
                       (started.out_queue >= 0 && started.out_queue == other.out_queue);
    const bool same_thread = thread(started) == thread(other);
    if (queue || same_thread) {
      fail(started.location, "the instruction shares a {} with that of line {}, which still runs",
           queue ? "queue" : "microthread", other.location.line);
    }
  }
}

void ProcessorHost::start(Instruction instruction, const Instance& instance, const Ends& ends, const Value* settings) {
  if (!negations.after.empty()) {
    fail(negations.after.begin()->second,
         "negates between instructions; only before the first and after the last is supported");
  }
  if (computed_) {
    fail(*computed_, "computes between instructions; only before the first and after the last is supported");
  }
  const InstructionKey site{.file = instance.file().name,
                            .copy = instance.copy(),
                            .line = instruction.location.line,
                            .column = instruction.location.column,
                            .task = task_};
  InstructionKey key = site;
  key.count = started_[site]++;
  if (static_cast<std::int64_t>(instructions.size()) >= limits_.instructions) {
    fail(instruction.location, "more than {} instructions", limits_.instructions);
  }
  instruction.task = task_;
  instruction.run = runs_;
  instruction.asynchronous = flag(settings, "async", instruction.location);
  UnderWay started;
  started.key = key;
  started.location = instruction.location;
  started.activate = task_of(settings, "activate", instruction.location);
  started.unblock = task_of(settings, "unblock", instruction.location);
  if (const Value* thread = setting(settings, "ut_id")) {
    if (!thread->is(ValueKind::microthread)) {
      fail(instruction.location, "ut_id: expected @get_ut_id(n), found {}", describe(*thread));
    }
    started.thread = thread->number;
  }
  if (started.activate && started.unblock) {
    fail(instruction.location, "an instruction activates a task or unblocks one, not both");
  }
  if (ends.fabric_in != nullptr) started.in_queue = ends.fabric_in->queue;
  if (ends.fabric_out != nullptr) started.out_queue = ends.fabric_out->queue;
  if (instruction.asynchronous) {
    if (ends.fabric_in == nullptr && ends.fabric_out == nullptr) {
      fail(instruction.location, "only an instruction with a fabric end can be asynchronous");
    }
    check_thread(started);
    under_way_.push_back(started);
    side_by_side |= under_way_.size() > 1;
  } else {
    side_by_side |= !under_way_.empty();
    if (started.activate || started.unblock) {
      fail(instruction.location, "activate and unblock are for asynchronous instructions");
    }
  }
  keys.push_back(key);
  section.push_back(section_);
  instructions.push_back(std::move(instruction));
}

/// Negates a whole array, where nothing else is in progress. What is negated twice is as before.
void ProcessorHost::negate(Evaluator& evaluator, const Node& call, std::span<const Value> arguments) {
  Instruction instruction;
  instruction.location = call.location;
  instruction.bits = static_cast<Builtin>(call.slot) == Builtin::fnegh ? 16 : 32;
  Ends ends;
  add_end(evaluator, instruction, ends, arguments[1], false);
  add_end(evaluator, instruction, ends, arguments[0], true);
  const bool in_place =
      instruction.stores && instruction.sources.size() == 1 && *instruction.stores == instruction.sources.front();
  const Memory* memory = in_place ? &memories[at(instruction.stores->memory)] : nullptr;
  if (memory == nullptr || arguments.size() > 2 || !under_way_.empty() || instruction.extent != memory->elements ||
      (instruction.stores->stride != 1 && memory->elements > 1)) {
    fail(call.location, "{}: only a whole array, in place, while no other instruction runs is supported", call.name);
  }
  if (memory->type->bits != instruction.bits || memory->type->kind != TypeKind::real) {
    fail(call.location, "{} on '{}', an array of {}", call.name, memory->name, to_text(*memory->type));
  }
  auto& negated = instructions.size() == first_of_call_ ? negations.before : negations.after;
  const auto [found, added] = negated.try_emplace(instruction.stores->memory, call.location);
  if (!added) negated.erase(found);
}

/// What a processor does with its own vector and a number, or element by element, is its own affair: it takes part in no
/// message, and is left out. False if it is none of this.
bool ProcessorHost::compute(Evaluator& evaluator, const Node& call, std::span<const Value> arguments) {
  const auto id = static_cast<Builtin>(call.slot);
  if (options_.computes) return false;
  const bool mapped = id == Builtin::map && arguments.size() == 3;
  const bool scaled = id != Builtin::map && meaning_of(id).op && (is_number(arguments[1]) || is_number(arguments[2]));
  if (!mapped && !scaled) return false;
  if (mapped && !arguments[0].is(ValueKind::function)) {
    fail(call.location, "@map: expected a function, found {}", describe(arguments[0]));
  }
  Instruction instruction;
  instruction.location = call.location;
  Ends ends;
  for (std::size_t i = 0; i < 3; ++i) {
    if (is_number(arguments[i]) || arguments[i].is(ValueKind::function)) continue;
    add_end(evaluator, instruction, ends, arguments[i], i == (mapped ? 2 : 0));
  }
  const bool alone = ends.fabric_in == nullptr && ends.fabric_out == nullptr && instruction.stores;
  if (!alone || arguments.size() > 3 || !under_way_.empty()) {
    fail(call.location, "{}: a number is combined with memory only, while no other instruction runs", call.name);
  }
  if (instructions.size() > first_of_call_) computed_ = call.location;
  return true;
}

void ProcessorHost::vector(Evaluator& evaluator, const Instance& instance, const Node& call,
                           std::span<const Value> arguments) {
  const auto id = static_cast<Builtin>(call.slot);
  Instruction instruction;
  instruction.location = call.location;
  Ends ends;
  Meaning meaning = meaning_of(id);
  std::vector<const Value*> operands;  // the destination first
  const Value* settings = nullptr;
  if (id == Builtin::map) {
    meaning.op = operator_of(arguments[0], call.location);
    meaning.real = false;
    operands.push_back(&arguments.back());
    for (std::size_t i = 1; i + 1 < arguments.size(); ++i) operands.push_back(&arguments[i]);
    if (operands.size() != 3) fail(call.location, "@map: expected a function, two inputs and an output");
  } else {
    std::size_t count = meaning.op ? 3 : 2;
    for (std::size_t i = 0; i < count; ++i) operands.push_back(&arguments[i]);
    if (id == Builtin::fmacs) instruction.number = number_of(arguments[count++], call.location);
    if (id == Builtin::fsubs) instruction.number = -1.0F;
    if (id == Builtin::fmuls && is_number(*operands.back())) {
      instruction.number = number_of(*operands.back(), call.location);
      operands.pop_back();
      meaning.op.reset();
    }
    if (arguments.size() > count) settings = &arguments[count];
    if (settings != nullptr) check_settings(*settings, call.location);
  }
  instruction.op = meaning.op;
  instruction.bits = meaning.bits;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    add_end(evaluator, instruction, ends, *operands[i], false);
    if (i == 1) instruction.stream_first = ends.fabric_in != nullptr;
  }
  add_end(evaluator, instruction, ends, *operands[0], true);
  if (ends.fabric_out != nullptr && ends.fabric_out->control) {
    const bool plain = instruction.sources.size() == 1 && instruction.extent == 1 && instruction.takes.empty();
    if (!plain) fail(call.location, "a control wavelet is sent from one word of memory");
    const Value payload = evaluator.variable(object_of<Descriptor>(*operands[1]).walk.variable, call.location);
    const Value word = object_of<Array>(payload).at(instruction.sources[0].first);
    if (word.is(ValueKind::integer)) {
      const auto commands = commands_of(static_cast<std::uint32_t>(word.number));
      if (!commands) {
        fail(call.location,
             "the payload 0x{:x} of the control wavelet is not a list of ADVANCE and NOP for routers alone",
             word.number);
      }
      instruction.commands = *commands;
    } else if (word.is(ValueKind::control)) {
      instruction.control = static_cast<ControlCode>(word.number);
    } else {
      fail(call.location, "the payload of the control wavelet is not known");
    }
    instruction.sources.clear();
  } else {
    const auto check_type = [&](const MemoryWalk& walk) {
      const Type& type = *memories[at(walk.memory)].type;
      if (type.bits != meaning.bits || (meaning.real && type.kind != TypeKind::real)) {
        fail(call.location, "{} on '{}', an array of {}", call.name, memories[at(walk.memory)].name, to_text(type));
      }
    };
    for (const MemoryWalk& walk : instruction.sources) check_type(walk);
    if (instruction.stores) check_type(*instruction.stores);
  }
  start(std::move(instruction), instance, ends, settings);
}

}  // namespace muster::wafer::csl
