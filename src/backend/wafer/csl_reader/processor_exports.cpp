// Symbols that the host knows: @export_symbol says which they are, and the layout's @export_name what the host expects.
// Name, type and mutability must agree (the vendor's "Builtins for Supporting Remote Procedure Calls").
#include "backend/wafer/csl_reader/processor_host.h"
#include "base/index.h"
#include "base/one_line.h"

namespace muster::wafer::csl {

namespace {

/// A symbol as a file declares it: a name of the file itself, else unknown.
const Declaration* declaration_of(const Node& symbol, const Instance& instance) {
  return symbol.kind == NodeKind::global ? &instance.file().declarations[at(symbol.slot)] : nullptr;
}

void check_mutability(const std::string& name, const Declaration& declaration, const ExportedName& expected,
                      const Location& location) {
  if (expected.type->kind == TypeKind::function || declaration.kind == DeclarationKind::parameter) return;
  const bool is_mutable = declaration.kind == DeclarationKind::variable;
  if (is_mutable == expected.is_mutable) return;
  fail(location, "'{}' is a {} here; the layout ({}) exports it as one that the host {} change", name,
       is_mutable ? "var" : "const", to_text(expected.location), expected.is_mutable ? "may" : "may not");
}

}  // namespace

/// The element type of the array that a pointer leads to, null if it leads to none.
TypePtr ProcessorHost::element_type(Evaluator& evaluator, const Value& pointer, const Location& location) {
  const Value& target = evaluator.variable(object_of<PointerTo>(pointer).variable, location);
  return target.is(ValueKind::array) ? object_of<Array>(target).element : nullptr;
}

/// What the host is promised, if the layout promises it.
const ExportedName& ProcessorHost::expected(const std::string& name, const Location& location) const {
  const auto found = options_.names.find(name);
  if (found != options_.names.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [other, exported] : options_.names) known.push_back(other);
  fail(location, "the layout exports no name '{}'{}", one_line(name, 60),
       known.empty() ? "; use @export_name there" : "; " + suggest(one_line(name, 60), known));
}

void ProcessorHost::export_symbol(Evaluator& evaluator, Instance& instance, const Node& call,
                                  std::span<const Value> arguments) {
  const Node& symbol = *call.parts[0];
  const bool named = arguments.size() > 1;
  if (!named && symbol.kind != NodeKind::global) fail(call.location, "@export_symbol needs a name");
  const std::string name = named ? text_of(arguments[1], "@export_symbol", call.location) : symbol.name;
  const bool function = arguments[0].is(ValueKind::function);
  if (!function && !arguments[0].is(ValueKind::pointer)) {
    fail(call.location, "@export_symbol of {}", describe(arguments[0]));
  }
  const ExportedName& promised = expected(name, call.location);
  const std::string shown = one_line(name, 60);
  if (!advertised.insert(name).second) fail(call.location, "the name '{}' is exported twice", shown);
  const Declaration* declaration = declaration_of(symbol, instance);
  TypePtr type;
  if (function) {
    const auto& target = object_of<FunctionOf>(arguments[0]);
    type = evaluator.declared_type(*target.instance, *target.declaration);
  } else if (declaration != nullptr) {
    type = evaluator.declared_type(instance, *declaration);
  }
  if (type != nullptr && !same_type(*type, *promised.type)) {
    fail(call.location, "'{}' is {} here; the layout ({}) exports it as {}", shown, to_text(*type),
         to_text(promised.location), to_text(*promised.type));
  }
  if (declaration != nullptr) check_mutability(shown, *declaration, promised, call.location);
  if (function) {
    const auto& target = object_of<FunctionOf>(arguments[0]);
    exported_functions_[name] = {target.instance, target.declaration};
    return;
  }
  const TypePtr element = element_type(evaluator, arguments[0], call.location);
  if (element == nullptr) return;
  const Type* pointed = promised.type->element.get();
  if (pointed != nullptr && pointed->kind == TypeKind::array) pointed = pointed->element.get();
  if (pointed == nullptr || !same_type(*pointed, *element)) {
    fail(call.location, "'{}' points to an array of {}; the layout ({}) exports it as {}", shown, to_text(*element),
         to_text(promised.location), to_text(*promised.type));
  }
  exported_memories_.emplace(object_of<PointerTo>(arguments[0]).variable, name);
}

}  // namespace muster::wafer::csl
