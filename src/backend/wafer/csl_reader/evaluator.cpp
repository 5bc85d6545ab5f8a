// Instances of files, calls of functions, and the conversion of values to types.
#include "backend/wafer/csl_reader/evaluator.h"

#include <algorithm>

#include "backend/wafer/csl_reader/depth.h"
#include "base/index.h"
#include "base/one_line.h"

namespace muster::wafer::csl {

Instance::Instance(const File& file, Value parameters)
    : file_(file),
      parameters_(std::move(parameters)),
      globals_(file.declarations.size()),
      states_(file.declarations.size(), State::untouched) {}

const File& Files::get(const std::string& name, const Place& place) {
  if (const auto known = parsed_.find(name); known != parsed_.end()) return *known->second;
  const auto text = texts_.find(name);
  if (text == texts_.end()) fail(place, "there is no file '{}'", one_line(name));
  return *parsed_.emplace(name, parse(name, text->second, limits_)).first->second;
}

Evaluator::Evaluator(Files& files, const Mesh& mesh, Host& host)
    : files_(files), mesh_(mesh), host_(host), allowed_(files.limits().steps) {}

void Evaluator::step(const Place& place) {
  if (++steps_ > allowed_) fail(place, "the program is not done after {} steps of evaluation", allowed_);
}

/// An endless loop is found soon, and yet a program for a whole wafer may take its time.
void Evaluator::allow(std::int64_t steps) {
  const std::int64_t most = std::max(files_.limits().most_steps, allowed_);
  allowed_ = steps > most - allowed_ ? most : allowed_ + steps;
}

void Evaluator::use_cells(std::int64_t count, const Place& place) {
  if (count < 0 || count > files_.limits().cells - cells_) {
    fail(place, "the arrays of the program have more than {} elements", files_.limits().cells);
  }
  cells_ += count;
  allow(count * files_.limits().steps_per_cell);
}

Instance& Evaluator::instantiate(const File& file, Value parameters, const Place& place) {
  if (parameters.is(ValueKind::structure)) {
    const auto& record = object_of<Record>(parameters);
    if (record.names == nullptr && !record.values.empty()) fail(place, "parameters need names: .{{ .name = value }}");
    for (std::size_t i = 0; record.names != nullptr && i < record.names->size(); ++i) {
      const auto found = file.by_name.find((*record.names)[i]);
      const bool known =
          found != file.by_name.end() && file.declarations[at(found->second)].kind == DeclarationKind::parameter;
      if (!known) fail(place, "{} has no parameter '{}'", file.name, (*record.names)[i]);
    }
  } else if (!parameters.is(ValueKind::undefined) && !parameters.is(ValueKind::library)) {
    fail(place, "expected a struct of parameters, found {}", describe(parameters));
  }
  for (const Declaration& d : file.declarations) {
    if (d.kind != DeclarationKind::parameter || d.value != nullptr) continue;
    const bool given = parameters.is(ValueKind::structure) && object_of<Record>(parameters).find(d.name) != nullptr;
    if (!given) fail(place, "the parameter '{}' of {} has no value", d.name, file.name);
  }
  instances_.push_back(std::make_unique<Instance>(file, std::move(parameters)));
  return *instances_.back();
}

void Evaluator::run(Instance& instance, const TopBlock& block) {
  const std::size_t base = stack_.size();
  stack_.resize(base + at(block.slots));
  execute(*block.body, {.instance = &instance, .base = base});
  stack_.resize(base);
}

Value Evaluator::call(Instance& instance, const Declaration& function, std::span<const Value> arguments,
                      const Place& place) {
  if (function.body == nullptr) fail(place, "'{}' is extern; its body is not in these files", function.name);
  if (arguments.size() != function.parameters.size()) {
    fail(place, "'{}' takes {} arguments, not {}", function.name, function.parameters.size(), arguments.size());
  }
  if (++calls_ > files_.limits().nesting) fail(place, "calls nested more than {} deep", files_.limits().nesting);
  const Frame frame{.instance = &instance, .base = stack_.size()};
  stack_.resize(frame.base + at(function.slots));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const TypePtr type = type_at(*function.parameters[i].type, frame);
    stack_[frame.base + i] = coerce(arguments[i], *type, place);
  }
  const TypePtr result_type = type_at(*function.type, frame);
  const Flow flow = execute(*function.body, frame);
  Value result = flow == Flow::done ? std::move(result_) : nothing_value();
  stack_.resize(frame.base);
  --calls_;
  if (result_type->kind == TypeKind::nothing) return nothing_value();
  if (flow != Flow::done) fail(place, "'{}' ends without returning a value", function.name);
  return coerce(std::move(result), *result_type, place);
}

const Value& Evaluator::global(Instance& instance, std::int32_t index, const Place& place) {
  const std::size_t i = at(index);
  if (instance.states_[i] == Instance::State::known) return instance.globals_[i];
  const Declaration& d = instance.file_.declarations[i];
  if (instance.states_[i] == Instance::State::under_way) fail(place, "the value of '{}' depends on itself", d.name);
  instance.states_[i] = Instance::State::under_way;
  const Frame frame{.instance = &instance, .base = stack_.size()};
  stack_.resize(frame.base + at(d.slots));
  Value value;
  const Value* given = nullptr;
  if (d.kind == DeclarationKind::parameter && instance.parameters_.is(ValueKind::structure)) {
    given = object_of<Record>(instance.parameters_).find(d.name);
  }
  if (d.kind == DeclarationKind::function || d.kind == DeclarationKind::task) {
    auto function = std::make_shared<FunctionOf>();
    function->instance = &instance;
    function->declaration = &d;
    value = object_value(ValueKind::function, std::move(function));
  } else {
    if (given != nullptr) {
      value = *given;
    } else if (d.value != nullptr) {
      value = evaluate(*d.value, frame);
    }
    const TypePtr type = d.type == nullptr ? nullptr : type_at(*d.type, frame);
    if (type != nullptr && value.is(ValueKind::undefined)) value = zero_of(type, d.place);
    if (type != nullptr) value = coerce(std::move(value), *type, d.place);
  }
  stack_.resize(frame.base);
  instance.globals_[i] = std::move(value);
  instance.states_[i] = Instance::State::known;
  return instance.globals_[i];
}

Value& Evaluator::variable(const Variable& variable, const Place& place) {
  global(*variable.instance, variable.global, place);
  return variable.instance->globals_[at(variable.global)];
}

void Evaluator::evaluate_all(Instance& instance) {
  for (std::size_t i = 0; i < instance.file_.declarations.size(); ++i) {
    global(instance, static_cast<std::int32_t>(i), instance.file_.declarations[i].place);
  }
}

}  // namespace muster::wafer::csl
