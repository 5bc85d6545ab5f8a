// What comptime blocks set up, and how tasks follow each other.
#include "backend/wafer/csl_reader/processor_host.h"

#include <algorithm>

#include "backend/wafer/csl_reader/task_ids.h"
#include "base/index.h"

namespace muster::wafer::csl {

namespace {

constexpr std::string_view kUnblock = "<memcpy/memcpy>.unblock_cmd_stream";

Value control_payload(const Node& call, std::span<const Value> arguments) {
  if (arguments.size() != 4) fail(call.location, "encode_single_payload takes 4 arguments, not {}", arguments.size());
  static constexpr std::string_view kOpcodes = "<control>.opcode.";
  const std::string opcode = arguments[0].is(ValueKind::library) ? object_of<Text>(arguments[0]).text : "";
  if (!opcode.starts_with(kOpcodes)) fail(call.location, "expected an opcode of <control>");
  const std::string name = opcode.substr(kOpcodes.size());
  if (!arguments[1].is(ValueKind::boolean) || !arguments[1].truth() || !arguments[2].is(ValueKind::nothing)) {
    fail(call.location,
         "a control wavelet that starts a task is not supported; use true, {{}} as second and third argument");
  }
  if (name == "SWITCH_ADV") return plain_value(ValueKind::control, static_cast<int>(ControlCode::advance));
  if (name == "SWITCH_RST") return plain_value(ValueKind::control, static_cast<int>(ControlCode::reset));
  fail(call.location, "the opcode {} is not supported; use SWITCH_ADV or SWITCH_RST", name);
}

}  // namespace

Value ProcessorHost::library(Evaluator& /*evaluator*/, const Node& call, const std::string& path,
                             std::span<const Value> arguments) {
  if (path == kUnblock) {
    if (!running_) fail(call.location, "{} before the program runs", path);
    if (!under_way_.empty()) {
      fail(call.location, "the host is told to go on while the instruction of line {} still runs",
           under_way_.front().location.line);
    }
    done_ = true;
    return nothing_value();
  }
  if (path == "<control>.encode_single_payload") return control_payload(call, arguments);
  fail(call.location, "{} is not known", path.substr(0, 80));
}

Value ProcessorHost::builtin(Evaluator& evaluator, Instance& instance, const Node& call,
                             std::span<const Value> arguments) {
  const auto id = static_cast<Builtin>(call.slot);
  const bool sets_up = id == Builtin::bind_local_task || id == Builtin::export_symbol ||
                       id == Builtin::initialize_queue || id == Builtin::set_local_color_config;
  if (sets_up && running_) fail(call.location, "{} belongs into a comptime block", call.name);
  if (is_vector(id) && !running_) fail(call.location, "{} belongs into a task or function", call.name);
  switch (id) {
    case Builtin::bind_local_task:
      bind_task(call, arguments);
      return nothing_value();
    case Builtin::export_symbol:
      export_symbol(evaluator, instance, call, arguments);
      return nothing_value();
    case Builtin::initialize_queue:
      initialize_queue(call, arguments);
      return nothing_value();
    case Builtin::activate:
      if (!arguments[0].is(ValueKind::task_id)) {
        fail(call.location, "@activate: expected a task id, found {}", describe(arguments[0]));
      }
      activate(arguments[0].number, call.location);
      return nothing_value();
    case Builtin::block:
    case Builtin::unblock:
      set_blocked(call, arguments[0], id == Builtin::block);
      return nothing_value();
    default:
      if (!is_vector(id)) fail(call.location, "{} is not supported in a processor's program", call.name);
      if (id == Builtin::fnegs || id == Builtin::fnegh) {
        negate(evaluator, call, arguments);
      } else if (!compute(evaluator, call, arguments)) {
        vector(evaluator, instance, call, arguments);
      }
      return nothing_value();
  }
}

void ProcessorHost::bind_task(const Node& call, std::span<const Value> arguments) {
  if (!arguments[0].is(ValueKind::function) ||
      object_of<FunctionOf>(arguments[0]).declaration->kind != DeclarationKind::task) {
    fail(call.location, "@bind_local_task: expected a task, found {}", describe(arguments[0]));
  }
  if (!arguments[1].is(ValueKind::task_id) || arguments[1].id != TypeKind::local_task_id) {
    fail(call.location, "@bind_local_task: expected a local task id, found {}", describe(arguments[1]));
  }
  if (is_system_task(static_cast<int>(arguments[1].number), options_.mesh)) {
    fail(call.location, "the task id {} belongs to the system or the host's library; use {} to 20", arguments[1].number,
         std::max(8, first_local_task(options_.mesh)));
  }
  Task& task = tasks_[arguments[1].number];
  if (task.declaration != nullptr) fail(call.location, "the task id {} is bound twice", arguments[1].number);
  task.instance = object_of<FunctionOf>(arguments[0]).instance;
  task.declaration = object_of<FunctionOf>(arguments[0]).declaration;
}

void ProcessorHost::set_blocked(const Node& call, const Value& id, bool blocked) {
  const bool receives = id.is(ValueKind::color) || id.is(ValueKind::input_queue) ||
                        (id.is(ValueKind::task_id) && id.id == TypeKind::data_task_id);
  if (receives) return;  // wavelets start no task here, blocked or not: there are no data tasks
  if (!id.is(ValueKind::task_id)) fail(call.location, "{} of {}", call.name, describe(id));
  if (blocked) check_wake_up(id.number, call.location);
  tasks_[id.number].blocked = blocked;
}

/// An instruction may end as soon as it has started. If it unblocks a task, that must be blocked by then: what comes first
/// has no effect, and the task stays blocked.
void ProcessorHost::check_wake_up(std::int64_t id, const Location& location) const {
  const auto started = std::find_if(under_way_.begin(), under_way_.end(),
                                    [&](const UnderWay& u) { return u.unblock && *u.unblock == id; });
  const auto ended = idle_unblocks_.find(id);
  if (started == under_way_.end() && ended == idle_unblocks_.end()) return;
  const Location& unblocks = started == under_way_.end() ? ended->second : started->location;
  fail(location,
       "the task id {} is blocked after the instruction that unblocks it has started ({}): if that ends first, its "
       "wake-up is lost; block before",
       id, to_text(unblocks));
}

void ProcessorHost::activate(std::int64_t id, const Location& location) {
  const auto task = tasks_.find(id);
  if (running_ && (task == tasks_.end() || task->second.declaration == nullptr)) {
    fail(location, "no task is bound to the id {}", id);
  }
  tasks_[id].active = true;
  tasks_[id].activated = location;
}

bool ProcessorHost::run_one_task(Evaluator& evaluator, std::int32_t but) {
  for (auto& [id, task] : tasks_) {
    if (!task.active || task.blocked || id == but) continue;
    if (task.declaration == nullptr) fail(task.activated, "no task is bound to the id {}, which is activated", id);
    task.active = false;
    idle_unblocks_.erase(id);
    task_ = static_cast<std::int32_t>(id);
    if (++runs_ > limits_.instructions) {
      fail(task.declaration->location, "tasks run more than {} times", limits_.instructions);
    }
    evaluator.call(*task.instance, *task.declaration, {}, task.declaration->location);
    return true;
  }
  return false;
}

void ProcessorHost::finish(const UnderWay& done) {
  if (done.activate) activate(*done.activate, done.location);
  if (!done.unblock) return;
  bool& blocked = tasks_[*done.unblock].blocked;
  if (!blocked) idle_unblocks_[*done.unblock] = done.location;
  blocked = false;
}

/// Nothing else can continue: one run of the task that comes last.
void ProcessorHost::run_last(Evaluator& evaluator, std::int32_t last) {
  const std::size_t first = keys.size();
  run_one_task(evaluator, kNoTask);
  for (std::size_t i = first; i < keys.size(); ++i) {
    if (!instructions[i].asynchronous && instructions[i].task == last) before_held[keys[i]] = i;
  }
}

void ProcessorHost::run(Evaluator& evaluator, std::set<InstructionKey> held, std::int32_t last) {
  done_ = false;
  idle_unblocks_.clear();
  negations = {};
  computed_.reset();
  first_of_call_ = instructions.size();
  task_ = -1;
  ++runs_;
  const std::string& entry = options_.entry;
  if (!entry.empty() && exported_functions_.find(entry) == exported_functions_.end()) {
    fail(top_, "the program exports no function '{}'", entry);
  }
  if (entry.empty() && exported_functions_.size() > 1) {
    fail(top_, "the program exports {} functions; name the one to read", exported_functions_.size());
  }
  if (!exported_functions_.empty()) {
    const auto& [instance, function] =
        (entry.empty() ? exported_functions_.begin() : exported_functions_.find(entry))->second;
    evaluator.call(*instance, *function, {}, function->location);
  }
  while (true) {
    if (run_one_task(evaluator, last)) continue;
    auto next = std::find_if(under_way_.begin(), under_way_.end(),
                             [&](const UnderWay& u) { return held.find(u.key) == held.end(); });
    const auto waiting = tasks_.find(last);
    if (next == under_way_.end() && waiting != tasks_.end() && waiting->second.active && !waiting->second.blocked) {
      run_last(evaluator, last);
      continue;
    }
    if (under_way_.empty()) break;
    if (next == under_way_.end()) {
      next = under_way_.begin();
      held_together |= under_way_.size() > 1;
      before_held[next->key] = keys.size();
      held.erase(next->key);
    }
    if (under_way_.size() == 1) ++section_;
    const UnderWay done = *next;
    under_way_.erase(next);
    finish(done);
  }
  if (!exported_functions_.empty() && !done_) {
    const auto& function = (entry.empty() ? exported_functions_.begin() : exported_functions_.find(entry))->second;
    fail(function.second->location, "{} tasks run and then nothing; the host waits for unblock_cmd_stream", runs_);
  }
}

}  // namespace muster::wafer::csl
