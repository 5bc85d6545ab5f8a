// Builtins that are about values alone.
#include <algorithm>
#include <cmath>

#include "backend/wafer/csl_reader/depth.h"
#include "backend/wafer/csl_reader/evaluate.h"
#include "backend/wafer/csl_reader/task_ids.h"
#include "base/index.h"
#include "base/one_line.h"
#include "machine/mesh.h"

namespace muster::wafer::csl {

namespace {

constexpr std::int64_t kMostId = 63;
constexpr std::int64_t kMicrothreads = 8;  // [SDK] "Microthread IDs"

const Type& type_argument(const Value& value, const Location& location) {
  if (!value.is(ValueKind::type)) fail(location, "expected a type, found {}", describe(value));
  return object_of<Type>(value);
}

const Record& struct_argument(const Value& value, const Location& location) {
  if (!value.is(ValueKind::structure)) fail(location, "expected a struct, found {}", describe(value));
  return object_of<Record>(value);
}

Value convert(const Value& value, const Type& type, const Location& location) {
  const bool number = value.is(ValueKind::integer) || value.is(ValueKind::boolean) || value.is(ValueKind::enumerator);
  if (type.kind == TypeKind::integer && (number || value.is(ValueKind::real))) {
    std::int64_t whole = value.number;
    if (value.is(ValueKind::real)) {
      if (!(std::abs(value.real()) < 9e18)) fail(location, "{} does not fit into {}", value.real(), type.name);
      whole = static_cast<std::int64_t>(value.real());
    }
    if (!fits(whole, type.bits, type.is_signed)) fail(location, "{} does not fit into {}", whole, type.name);
    return integer_value(whole, type.bits, type.is_signed);
  }
  if (type.kind == TypeKind::real && value.is(ValueKind::real)) return real_value(value.real(), type.bits);
  if (type.kind == TypeKind::real && number) return real_value(static_cast<double>(value.number), type.bits);
  if (type.kind == TypeKind::boolean && number) return boolean_value(value.number != 0);
  fail(location, "@as cannot make {} of {}", to_text(type), describe(value));
}

Value make_range(std::span<const Value> arguments, const Location& location) {
  const Type& type = type_argument(arguments[0], location);
  if (type.kind != TypeKind::integer) fail(location, "@range needs an integer type, not {}", to_text(type));
  if (arguments.size() == 3) fail(location, "@range takes a type and a stop, or a type, a start, a stop and a step");
  auto range = std::make_shared<RangeOf>();
  range->type = std::static_pointer_cast<const Type>(arguments[0].object);
  const auto number = [&](std::size_t i) {
    const std::int64_t value =
        integer_in(arguments[i], -(std::int64_t{1} << 62), std::int64_t{1} << 62, "@range", location);
    if (!fits(value, type.bits, type.is_signed)) fail(location, "{} does not fit into {}", value, type.name);
    return value;
  };
  if (arguments.size() == 2) {
    range->stop = number(1);
  } else {
    range->start = number(1);
    range->stop = number(2);
    range->step = number(3);
  }
  if (range->step == 0) fail(location, "@range: a step of 0");
  return object_value(ValueKind::range, std::move(range));
}

Value concatenate(const Value& left, const Value& right, const Location& location) {
  const Record& a = struct_argument(left, location);
  const Record& b = struct_argument(right, location);
  const bool tuples = a.names == nullptr && b.names == nullptr;
  if (!tuples && ((a.names == nullptr && !a.values.empty()) || (b.names == nullptr && !b.values.empty()))) {
    fail(location, "a struct with names and one without cannot be joined");
  }
  auto joined = std::make_shared<Record>();
  auto names = std::make_shared<std::vector<std::string>>();
  for (const Record* part : {&a, &b}) {
    for (std::size_t i = 0; i < part->values.size(); ++i) {
      joined->values.push_back(part->values[i]);
      hold(*joined, part->values[i], location);
      if (tuples) continue;
      const std::string& name = (*part->names)[i];
      if (std::find(names->begin(), names->end(), name) != names->end()) {
        fail(location, "both structs have a field '{}'", name);
      }
      names->push_back(name);
    }
  }
  if (joined->values.size() > 10000) fail(location, "a struct of more than 10000 fields");
  if (!tuples) joined->names = std::move(names);
  return object_value(ValueKind::structure, std::move(joined));
}

Value number_of(const Value& value, const Location& location) {
  switch (value.kind) {
    case ValueKind::integer:
      return value;
    case ValueKind::color:
    case ValueKind::input_queue:
    case ValueKind::output_queue:
    case ValueKind::task_id:
      return integer_value(value.number, 16, false);
    case ValueKind::enumerator: {
      const Type& type = *object_of<Type>(value).element;
      return integer_value(value.number, type.bits, type.is_signed);
    }
    default:
      fail(location, "@get_int of {}", describe(value));
  }
}

Value task_id(TypeKind kind, std::int64_t number) {
  Value value = plain_value(ValueKind::task_id, number);
  value.id = kind;
  return value;
}

Value constructor(Builtin id, const Node& node, Evaluator& evaluator, std::span<const Value> arguments) {
  const Location& location = node.location;
  const Mesh& mesh = evaluator.mesh();
  const auto number = [&](std::int64_t most) { return integer_in(arguments[0], 0, most, node.name, location); };
  switch (id) {
    case Builtin::zeros:
    case Builtin::constants: {
      const Type& type = type_argument(arguments[0], location);
      if (type.kind != TypeKind::array) fail(location, "{} needs an array type, not {}", node.name, to_text(type));
      Value value = zero_of(std::static_pointer_cast<const Type>(arguments[0].object), evaluator.budget(), location);
      if (id == Builtin::zeros) return value;
      const Value element = coerce(arguments[1], *type.element, location);
      auto& array = own_object<Array>(value);
      array.numbers.assign(array.numbers.size(), element.number);
      std::fill(array.values.begin(), array.values.end(), element);
      hold(array, element, location);
      return value;
    }
    case Builtin::get_color:
      return plain_value(ValueKind::color, number(kMostId));
    case Builtin::get_input_queue:
      return plain_value(ValueKind::input_queue, number(mesh.input_queues - 1));
    case Builtin::get_output_queue:
      return plain_value(ValueKind::output_queue, number(mesh.output_queues - 1));
    case Builtin::get_ut_id:
      if (!mesh.queues_are_bound) fail(location, "@get_ut_id: {} has no microthreads with names", mesh.architecture);
      return plain_value(ValueKind::microthread, number(kMicrothreads - 1));
    case Builtin::get_local_task_id:
      return task_id(TypeKind::local_task_id,
                     integer_in(arguments[0], first_local_task(mesh), kLastLocalTask, node.name, location));
    case Builtin::get_control_task_id:
      return task_id(TypeKind::control_task_id, number(kMostId));
    default:
      if (!arguments[0].is(ValueKind::color) && !arguments[0].is(ValueKind::input_queue)) {
        fail(location, "@get_data_task_id of {}; use a color or an input queue", describe(arguments[0]));
      }
      if (arguments[0].is(ValueKind::input_queue) != mesh.queues_are_bound) {
        fail(location, "@get_data_task_id of {}; on {} data tasks have the ids of {}", describe(arguments[0]),
             mesh.architecture, mesh.queues_are_bound ? "input queues" : "colors");
      }
      return task_id(TypeKind::data_task_id, arguments[0].number);
  }
}

Value reflection(Builtin id, const Node& node, Evaluator& evaluator, std::span<const Value> arguments) {
  const Location& location = node.location;
  switch (id) {
    case Builtin::is_arch:
      return boolean_value(text_of(arguments[0], "@is_arch", location) == evaluator.mesh().architecture);
    case Builtin::is_same_type:
      return boolean_value(same_type(type_argument(arguments[0], location), type_argument(arguments[1], location)));
    case Builtin::is_comptime:
      return boolean_value(!evaluator.is_running());
    case Builtin::type_of:
      return type_value(type_of(arguments[0]));
    case Builtin::element_type:
    case Builtin::element_count: {
      const Type& type = type_argument(arguments[0], location);
      if (type.kind != TypeKind::array)
        fail(location, "{} of {}, which is not an array type", node.name, to_text(type));
      if (id == Builtin::element_type) return type_value(type.element);
      std::int64_t count = 1;
      for (const std::int64_t size : type.dimensions) {
        if (__builtin_mul_overflow(count, size, &count)) fail(location, "the array type is too large");
      }
      return coerce(integer_value(count), *integer_type(32, false), location);
    }
    case Builtin::strcat: {
      std::string text = text_of(arguments[0], "@strcat", location) + text_of(arguments[1], "@strcat", location);
      evaluator.budget().use_cells(static_cast<std::int64_t>(text.size()) / 8, location);
      return string_value(std::move(text));
    }
    case Builtin::strlen:
      return integer_value(static_cast<std::int64_t>(text_of(arguments[0], "@strlen", location).size()));
    default:
      fail(location, "{} is not supported", node.name);
  }
}

/// The host's library does nothing without what <memcpy/get_params> computes for the PE in the layout.
void check_library_parameters(const std::string& name, std::span<const Value> arguments, const Location& location) {
  if (name != "<memcpy/memcpy>") return;
  const bool given = arguments.size() > 1 && arguments[1].is(ValueKind::library) &&
                     object_of<Text>(arguments[1]).text == "<memcpy/get_params>.get_params()";
  if (given) return;
  fail(location,
       "{} is imported without its parameters; import <memcpy/get_params> in the layout, give each PE "
       ".memcpy_params = NAME.get_params(x) with @set_tile_code, and pass memcpy_params on here",
       name);
}

/// A name in <> is a module of the vendor: nothing is known of it but its path. Any other is a file of the program.
Value import_module(const Node& node, Evaluator& evaluator, std::span<const Value> arguments) {
  const std::string& name = text_of(arguments[0], "@import_module", node.location);
  if (name.size() > 2 && name.front() == '<' && name.back() == '>') {
    check_library_parameters(name, arguments, node.location);
    return library_value(name);
  }
  if (evaluator.instance_count() > 1000) fail(node.location, "more than 1000 modules are imported");
  if (evaluator.is_running())
    fail(node.location, "@import_module while the program runs; import '{}' as a const of the file", one_line(name));
  const auto level = evaluator.budget().import(node.location);
  auto module = std::make_shared<ModuleOf>();
  module->instance = &evaluator.instantiate(evaluator.files().get(file_beside(name, node.location), node.location),
                                            arguments.size() > 1 ? arguments[1] : Value{}, node.location);
  evaluator.evaluate_imports(*module->instance);
  return object_value(ValueKind::module, std::move(module));
}

Value value_builtin(Builtin id, const Node& node, Evaluator& evaluator, std::span<const Value> arguments) {
  switch (id) {
    case Builtin::as:
      return convert(arguments[1], type_argument(arguments[0], node.location), node.location);
    case Builtin::range:
      return make_range(arguments, node.location);
    case Builtin::concat_structs:
      return concatenate(arguments[0], arguments[1], node.location);
    case Builtin::field:
      return field_of(evaluator, arguments[0], text_of(arguments[1], "@field", node.location), node.location);
    case Builtin::has_field: {
      const Record& record = struct_argument(arguments[0], node.location);
      return boolean_value(record.find(text_of(arguments[1], "@has_field", node.location)) != nullptr);
    }
    case Builtin::get_int:
      return number_of(arguments[0], node.location);
    case Builtin::comptime_assert:
      if (!arguments[0].is(ValueKind::boolean))
        fail(node.location, "expected a bool, found {}", describe(arguments[0]));
      if (!arguments[0].truth()) {
        fail(node.location, "{} does not hold{}", node.name,
             arguments.size() < 2 ? "" : ": " + one_line(text_of(arguments[1], node.name, node.location)));
      }
      return nothing_value();
    case Builtin::comptime_print:
      return nothing_value();
    case Builtin::import_module:
      return import_module(node, evaluator, arguments);
    case Builtin::get_dsd:
      return make_descriptor(arguments[0], arguments[1], node.location);
    case Builtin::increment_dsd_offset:
    case Builtin::set_dsd_length:
    case Builtin::set_dsd_base_addr:
    case Builtin::set_dsd_stride:
      return change_descriptor(id, arguments, node.location);
    case Builtin::zeros:
    case Builtin::constants:
    case Builtin::get_color:
    case Builtin::get_input_queue:
    case Builtin::get_output_queue:
    case Builtin::get_local_task_id:
    case Builtin::get_data_task_id:
    case Builtin::get_control_task_id:
    case Builtin::get_ut_id:
      return constructor(id, node, evaluator, arguments);
    default:
      return reflection(id, node, evaluator, arguments);
  }
}

}  // namespace

Value builtin(const Node& node, const Scope& scope) {
  const auto id = static_cast<Builtin>(node.slot);
  const BuiltinEntry& entry = entry_of(id);
  const auto count = static_cast<int>(node.parts.size());
  if (count < entry.least || count > entry.most) {
    fail(node.location, "{} takes {}{} arguments, not {}", node.name, entry.least,
         entry.least == entry.most ? "" : fmt::format(" to {}", entry.most), count);
  }
  const Arguments all(node.parts, scope);
  const std::span<const Value> arguments = all.values();
  if (!is_about_values(id)) {
    return scope.evaluator.host().builtin(scope.evaluator, scope.instance, node, arguments);
  }
  return value_builtin(id, node, scope.evaluator, arguments);
}

}  // namespace muster::wafer::csl
