// Instances of files, their values, and calls of functions.
#include "backend/wafer/csl_reader/evaluator.h"

#include <algorithm>
#include <filesystem>

#include "backend/wafer/csl_reader/evaluate.h"
#include "base/index.h"
#include "base/one_line.h"
#include "machine/mesh.h"

namespace muster::wafer::csl {

namespace {

constexpr std::size_t kMostResults = 1 << 16;  ///< of a function that are kept

}  // namespace

Instance::Instance(const File& file, Value parameters, const Location& created, std::int32_t copy)
    : file_(file),
      parameters_(std::move(parameters)),
      created_(created),
      copy_(copy),
      globals_(file.declarations.size()),
      states_(file.declarations.size(), State::untouched) {}

std::string file_beside(const std::string& name, const Location& location) {
  namespace fs = std::filesystem;
  const bool is_plain = !name.starts_with('.') && name.find('/') == std::string::npos;
  if (is_plain && location.file->find('/') == std::string::npos) return name;  // as every PE of a wafer names its file
  const fs::path path = (fs::path(*location.file).parent_path() / name).lexically_normal();
  if (path.is_absolute() || (!path.empty() && *path.begin() == "..")) {
    fail(location, "the file '{}' is not in the folder of the program; only files there are read", one_line(name));
  }
  return path.generic_string();
}

const File& Files::get(const std::string& name, const Location& location) {
  if (const auto known = parsed_.find(name); known != parsed_.end()) return *known->second;
  const auto text = texts_.find(name);
  if (text == texts_.end()) fail(location, "there is no file '{}'", one_line(name));
  return *parsed_.emplace(name, parse(name, text->second, limits_)).first->second;
}

/// The locals of what runs, for as long as it does.
class Evaluator::Locals {
 public:
  Locals(Evaluator& evaluator, Instance& instance, std::int32_t slots)
      : scope_{.evaluator = evaluator, .instance = instance, .base = evaluator.stack_.size()} {
    evaluator.stack_.resize(scope_.base + at(slots));
  }
  ~Locals() { scope_.evaluator.stack_.resize(scope_.base); }
  Locals(const Locals&) = delete;
  Locals& operator=(const Locals&) = delete;
  [[nodiscard]] const Scope& scope() const { return scope_; }

 private:
  Scope scope_;
};

Evaluator::Evaluator(Files& files, const Mesh& mesh, Host& host)
    : files_(files), mesh_(mesh), host_(host), budget_(files.limits()) {}

Instance& Evaluator::instantiate(const File& file, Value parameters, const Location& location) {
  if (parameters.is(ValueKind::structure)) {
    const auto& record = object_of<Record>(parameters);
    if (record.names == nullptr && !record.values.empty())
      fail(location, "parameters need names: .{{ .name = value }}");
    for (std::size_t i = 0; record.names != nullptr && i < record.names->size(); ++i) {
      const auto found = file.by_name.find((*record.names)[i]);
      const bool known =
          found != file.by_name.end() && file.declarations[at(found->second)].kind == DeclarationKind::parameter;
      if (!known) fail(location, "{} has no parameter '{}'", file.name, (*record.names)[i]);
    }
  } else if (!parameters.is(ValueKind::undefined) && !parameters.is(ValueKind::library)) {
    fail(location, "expected a struct of parameters, found {}", describe(parameters));
  }
  const auto copies =
      std::count_if(instances_.begin(), instances_.end(), [&](const auto& other) { return &other->file() == &file; });
  instances_.push_back(
      std::make_unique<Instance>(file, std::move(parameters), location, static_cast<std::int32_t>(copies)));
  return *instances_.back();
}

bool Evaluator::is_unset(const Instance& instance, const Declaration& declaration) {
  if (declaration.kind != DeclarationKind::parameter || declaration.value != nullptr) return false;
  const Value& given = instance.parameters_;
  return !given.is(ValueKind::structure) || object_of<Record>(given).find(declaration.name) == nullptr;
}

void Evaluator::evaluate_imports(Instance& instance) {
  const auto& declarations = instance.file_.declarations;
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    const Declaration& d = declarations[i];
    if (d.imports) global(instance, static_cast<std::int32_t>(i), d.location);
  }
}

void Evaluator::run_comptime_blocks() {
  std::size_t next = 0;
  while (next < instances_.size()) {  // a block may import more
    Instance& instance = *instances_[next++];
    for (const TopBlock& block : instance.file_.comptime_blocks) run(instance, block);
  }
}

void Evaluator::run(Instance& instance, const TopBlock& block) {
  const Locals locals(*this, instance, block.slots);
  execute(*block.body, locals.scope());
}

Value Evaluator::call(Instance& instance, const Declaration& function, std::span<const Value> arguments,
                      const Location& location) {
  const auto is_integer = [](const Value& value) { return value.is(ValueKind::integer); };
  if (running_ || !function.is_pure || !std::ranges::all_of(arguments, is_integer)) {
    return call_anew(instance, function, arguments, location);
  }
  arguments_.clear();
  for (const Value& value : arguments) {
    arguments_.push_back(value.number);
    arguments_.push_back(2 * value.bits + (value.is_signed ? 1 : 0));  // which types it fits
  }
  auto& results = results_[{&instance, &function}];
  if (const auto known = results.find(arguments_); known != results.end()) return known->second;
  const Arguments key = arguments_;
  Value result = call_anew(instance, function, arguments, location);
  if (results.size() < kMostResults) results.emplace(key, result);
  return result;
}

Value Evaluator::call_anew(Instance& instance, const Declaration& function, std::span<const Value> arguments,
                           const Location& location) {
  if (function.body == nullptr) fail(location, "'{}' is extern; its body is not in these files", function.name);
  if (arguments.size() != function.parameters.size()) {
    fail(location, "'{}' takes {} arguments, not {}", function.name, function.parameters.size(), arguments.size());
  }
  const auto level = budget_.call(location);
  const Locals locals(*this, instance, function.slots);
  const Scope& scope = locals.scope();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const TypePtr type = type_at(*function.parameters[i].type, scope);
    scope.local(static_cast<std::int32_t>(i)) =
        running_ ? coerce(arguments[i], *type, location) : coerce_known(arguments[i], *type, location);
  }
  const TypePtr result_type = type_at(*function.type, scope);
  const Flow flow = execute(*function.body, scope);
  if (result_type->kind == TypeKind::nothing) return nothing_value();
  if (flow != Flow::done) fail(location, "'{}' ends without returning a value", function.name);
  return running_ ? coerce(std::move(jump_.value), *result_type, location)
                  : coerce_known(std::move(jump_.value), *result_type, location);
}

const Value& Evaluator::global(Instance& instance, std::int32_t index, const Location& location) {
  const std::size_t i = at(index);
  if (instance.states_[i] == Instance::State::known) return instance.globals_[i];
  const Declaration& d = instance.file_.declarations[i];
  if (instance.states_[i] == Instance::State::under_way) fail(location, "the value of '{}' depends on itself", d.name);
  instance.states_[i] = Instance::State::under_way;
  instance.globals_[i] = value_of(instance, d, location);
  instance.states_[i] = Instance::State::known;
  return instance.globals_[i];
}

Value Evaluator::value_of(Instance& instance, const Declaration& d, const Location& location) {
  if (d.kind == DeclarationKind::function || d.kind == DeclarationKind::task) {
    auto function = std::make_shared<FunctionOf>();
    function->instance = &instance;
    function->declaration = &d;
    return object_value(ValueKind::function, std::move(function));
  }
  if (is_unset(instance, d)) {
    const bool imported = instance.created_.file != nullptr && *instance.created_.file != instance.file_.name;
    fail(instance.created_, "the parameter '{}' of {} has no value, but is used ({}); {}", d.name, instance.file_.name,
         to_text(location), imported ? "give it one here" : fmt::format("--set {}=VALUE gives it one", d.name));
  }
  const Locals locals(*this, instance, d.slots);
  const Value* given = nullptr;
  if (d.kind == DeclarationKind::parameter && instance.parameters_.is(ValueKind::structure)) {
    given = object_of<Record>(instance.parameters_).find(d.name);
  }
  Value value;
  if (given != nullptr) {
    value = *given;
  } else if (d.value != nullptr) {
    value = evaluate(*d.value, locals.scope());
  }
  if (d.type == nullptr) return value;
  const TypePtr type = type_at(*d.type, locals.scope());
  if (value.is(ValueKind::undefined)) {
    value = zero_of(type, budget_, d.location);
    if (value.is(ValueKind::undefined)) return value;
  }
  return coerce_known(std::move(value), *type, d.location);
}

TypePtr Evaluator::declared_type(Instance& instance, const Declaration& declaration) {
  const Locals locals(*this, instance, declaration.slots);
  TypePtr type = declaration.type == nullptr ? nullptr : type_at(*declaration.type, locals.scope());
  if (declaration.kind != DeclarationKind::function && declaration.kind != DeclarationKind::task) return type;
  auto function = std::make_shared<Type>();
  function->kind = TypeKind::function;
  function->element = std::move(type);
  for (const Parameter& p : declaration.parameters) function->parameters.push_back(type_at(*p.type, locals.scope()));
  return function;
}

Value& Evaluator::variable(const Variable& variable, const Location& location) {
  global(*variable.instance, variable.global, location);
  return variable.instance->globals_[at(variable.global)];
}

void Evaluator::evaluate_all(Instance& instance) {
  for (std::size_t i = 0; i < instance.file_.declarations.size(); ++i) {
    const Declaration& d = instance.file_.declarations[i];
    if (!is_unset(instance, d)) global(instance, static_cast<std::int32_t>(i), d.location);
  }
}

}  // namespace muster::wafer::csl
