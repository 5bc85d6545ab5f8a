// Types: making, naming and comparing them.
#include <array>
#include <charconv>

#include "backend/wafer/csl_reader/values.h"

namespace muster::wafer::csl {

namespace {

struct Named {
  std::string_view name;
  TypeKind kind;
  int bits = 0;
};

constexpr std::array<Named, 27> kNamed{{{"anytype", TypeKind::any},
                                        {"void", TypeKind::nothing},
                                        {"bool", TypeKind::boolean, 1},
                                        {"comptime_int", TypeKind::integer},
                                        {"comptime_float", TypeKind::real},
                                        {"f16", TypeKind::real, 16},
                                        {"f32", TypeKind::real, 32},
                                        {"comptime_string", TypeKind::string},
                                        {"type", TypeKind::type},
                                        {"comptime_struct", TypeKind::structure},
                                        {"color", TypeKind::color, 16},
                                        {"input_queue", TypeKind::input_queue, 16},
                                        {"output_queue", TypeKind::output_queue, 16},
                                        {"local_task_id", TypeKind::local_task_id, 16},
                                        {"data_task_id", TypeKind::data_task_id, 16},
                                        {"control_task_id", TypeKind::control_task_id, 16},
                                        {"direction", TypeKind::direction},
                                        {"imported_module", TypeKind::module},
                                        {"mem1d_dsd", TypeKind::descriptor},
                                        {"mem4d_dsd", TypeKind::descriptor},
                                        {"fabin_dsd", TypeKind::descriptor},
                                        {"fabout_dsd", TypeKind::descriptor},
                                        {"circbuf_dsd", TypeKind::descriptor},
                                        {"dsr_dest", TypeKind::descriptor},
                                        {"dsr_src0", TypeKind::descriptor},
                                        {"dsr_src1", TypeKind::descriptor},
                                        {"range", TypeKind::range}}};

TypePtr simple(TypeKind kind, std::string_view name, int bits = 0, bool is_signed = false) {
  auto type = std::make_shared<Type>();
  type->kind = kind;
  type->bits = bits;
  type->is_signed = is_signed;
  type->name = name;
  return type;
}

std::string_view kind_name(const Value& value) {
  switch (value.kind) {
    case ValueKind::color:
      return "color";
    case ValueKind::input_queue:
      return "input_queue";
    case ValueKind::output_queue:
      return "output_queue";
    case ValueKind::direction:
      return "direction";
    case ValueKind::string:
      return "comptime_string";
    case ValueKind::type:
      return "type";
    case ValueKind::structure:
      return "comptime_struct";
    case ValueKind::boolean:
      return "bool";
    case ValueKind::nothing:
      return "void";
    case ValueKind::library:
    case ValueKind::module:
      return "imported_module";
    case ValueKind::descriptor:
      return "mem1d_dsd";
    case ValueKind::range:
      return "range";
    case ValueKind::task_id:
      return value.id == TypeKind::local_task_id  ? "local_task_id"
             : value.id == TypeKind::data_task_id ? "data_task_id"
                                                  : "control_task_id";
    default:
      return "anytype";
  }
}

/// "fn(i16, f32)void".
std::string function_text(const Type& type) {
  std::string text;
  for (const TypePtr& parameter : type.parameters) text += (text.empty() ? "" : ", ") + to_text(*parameter);
  return fmt::format("fn({}){}", text, to_text(*type.element));
}

std::string joined(const std::vector<std::int64_t>& numbers) { return fmt::format("{}", fmt::join(numbers, ", ")); }

}  // namespace

bool same_type(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.bits != b.bits || a.is_signed != b.is_signed || a.dimensions != b.dimensions) return false;
  if (a.kind == TypeKind::enumeration) return false;
  if (a.kind == TypeKind::descriptor && a.name != b.name) return false;
  if ((a.element == nullptr) != (b.element == nullptr) || a.parameters.size() != b.parameters.size()) return false;
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    if (!same_type(*a.parameters[i], *b.parameters[i])) return false;
  }
  return a.element == nullptr || same_type(*a.element, *b.element);
}

TypePtr integer_type(int bits, bool is_signed) {
  if (bits == 0) return simple(TypeKind::integer, "comptime_int", 0, true);
  return simple(TypeKind::integer, fmt::format("{}{}", is_signed ? 'i' : 'u', bits), bits, is_signed);
}

TypePtr real_type(int bits) {
  return simple(TypeKind::real, bits == 0 ? "comptime_float" : fmt::format("f{}", bits), bits, true);
}

TypePtr array_type(std::vector<std::int64_t> dimensions, TypePtr element) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::array;
  type->dimensions = std::move(dimensions);
  type->element = std::move(element);
  return type;
}

TypePtr named_type(std::string_view name) {
  for (const Named& known : kNamed) {
    if (known.name == name) {
      return simple(known.kind, name, known.bits, known.kind == TypeKind::integer || known.kind == TypeKind::real);
    }
  }
  if (name.size() < 2 || name.size() > 3 || (name[0] != 'i' && name[0] != 'u') || name[1] == '0') return nullptr;
  int bits = 0;
  const auto done = std::from_chars(name.data() + 1, name.data() + name.size(), bits);
  if (done.ec != std::errc() || done.ptr != name.data() + name.size() || bits < 1 || bits > 64) return nullptr;
  return integer_type(bits, name[0] == 'i');
}

TypePtr type_of(const Value& value) {
  switch (value.kind) {
    case ValueKind::integer:
      return integer_type(value.bits, value.is_signed);
    case ValueKind::real:
      return real_type(value.bits);
    case ValueKind::array: {
      const auto& array = object_of<Array>(value);
      return array_type(array.dimensions, array.element);
    }
    default:
      return named_type(kind_name(value));
  }
}

std::string to_text(const Type& type) {
  switch (type.kind) {
    case TypeKind::array:
      return fmt::format("[{}]{}", joined(type.dimensions), to_text(*type.element));
    case TypeKind::pointer:
      return "*" + to_text(*type.element);
    case TypeKind::many_pointer:
      return "[*]" + to_text(*type.element);
    case TypeKind::function:
      return function_text(type);
    case TypeKind::enumeration:
      return "an enum type";
    default:
      return type.name;
  }
}

}  // namespace muster::wafer::csl
