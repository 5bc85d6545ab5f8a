// Values to types: literals take any type that holds them, typed numbers only widen; @as converts more.
#include <cmath>

#include "backend/wafer/csl_reader/depth.h"
#include "backend/wafer/csl_reader/evaluator.h"
#include "base/index.h"

namespace muster::wafer::csl {

namespace {

/// Whether a typed integer may become one of another type by itself.
bool widens(const Value& value, int bits, bool is_signed) {
  if (value.bits == 0) return true;
  if (value.is_signed == is_signed) return value.bits <= bits;
  return !value.is_signed && value.bits < bits;
}

bool is_kind(const Value& value, TypeKind kind) {
  switch (kind) {
    case TypeKind::nothing:
      return value.is(ValueKind::nothing);
    case TypeKind::boolean:
      return value.is(ValueKind::boolean);
    case TypeKind::string:
      return value.is(ValueKind::string);
    case TypeKind::type:
      return value.is(ValueKind::type);
    case TypeKind::structure:
      return value.is(ValueKind::structure) || value.is(ValueKind::library);
    case TypeKind::function:
      return value.is(ValueKind::function) || value.is(ValueKind::library);
    case TypeKind::color:
      return value.is(ValueKind::color);
    case TypeKind::input_queue:
      return value.is(ValueKind::input_queue);
    case TypeKind::output_queue:
      return value.is(ValueKind::output_queue);
    case TypeKind::local_task_id:
    case TypeKind::data_task_id:
    case TypeKind::control_task_id:
      return value.is(ValueKind::task_id) && value.id == kind;
    case TypeKind::direction:
      return value.is(ValueKind::direction);
    case TypeKind::descriptor:
      return value.is(ValueKind::descriptor);
    case TypeKind::module:
      return value.is(ValueKind::module) || value.is(ValueKind::library);
    case TypeKind::range:
      return value.is(ValueKind::range);
    case TypeKind::pointer:
    case TypeKind::many_pointer:
      return value.is(ValueKind::pointer);
    case TypeKind::enumeration:
      return value.is(ValueKind::enumerator);
    default:
      return true;
  }
}

Value to_integer(const Value& value, const Type& type, const Location& location) {
  if (value.is(ValueKind::control) && type.bits == 32) return value;
  if (!value.is(ValueKind::integer) || !widens(value, type.bits, type.is_signed)) {
    fail(location, "expected {}, found {}", type.name, describe(value));
  }
  if (!fits(value.number, type.bits, type.is_signed))
    fail(location, "{} does not fit into {}", value.number, type.name);
  return integer_value(value.number, type.bits, type.is_signed);
}

Value to_real(const Value& value, const Type& type, const Location& location) {
  if (value.is(ValueKind::integer) && value.bits == 0) {
    return real_value(static_cast<double>(value.number), type.bits);
  }
  if (!value.is(ValueKind::real) || (value.bits != 0 && value.bits > type.bits)) {
    fail(location, "expected {}, found {}", type.name, describe(value));
  }
  return real_value(value.real(), type.bits);
}

void check_array(const Value& value, const Type& type, const Location& location) {
  const bool fine = value.is(ValueKind::array) && object_of<Array>(value).dimensions == type.dimensions &&
                    same_type(*object_of<Array>(value).element, *type.element);
  if (!fine) fail(location, "expected {}, found {}", to_text(type), describe(value));
}

}  // namespace

Value coerce(Value value, const Type& type, const Location& location) {
  switch (type.kind) {
    case TypeKind::any:
      return value;
    case TypeKind::integer:
      return to_integer(value, type, location);
    case TypeKind::real:
      return to_real(value, type, location);
    case TypeKind::array:
      check_array(value, type, location);
      return value;
    default:
      if (!is_kind(value, type.kind)) fail(location, "expected {}, found {}", to_text(type), describe(value));
      return value;
  }
}

Value coerce_known(Value value, const Type& type, const Location& location) {
  if (value.is(ValueKind::integer) && type.kind == TypeKind::integer) value.bits = 0;
  return coerce(std::move(value), type, location);
}

Value coerce_like(Value value, const Value& old, const Location& location) {
  const bool integers = value.is(ValueKind::integer) && old.is(ValueKind::integer);
  if (integers && widens(value, old.bits, old.is_signed) && fits(value.number, old.bits, old.is_signed)) {
    return integer_value(value.number, old.bits, old.is_signed);
  }
  return coerce(std::move(value), *type_of(old), location);
}

Value zero_of(const TypePtr& type, Budget& budget, const Location& location) {
  switch (type->kind) {
    case TypeKind::integer:
      return integer_value(0, type->bits, type->is_signed);
    case TypeKind::real:
      return real_value(0, type->bits);
    case TypeKind::boolean:
      return boolean_value(false);
    case TypeKind::array: {
      auto array = std::make_shared<Array>();
      array->set_element(type->element);
      array->dimensions = type->dimensions;
      std::int64_t count = 1;
      for (const std::int64_t size : type->dimensions) {
        if (__builtin_mul_overflow(count, size, &count)) fail(location, "the array is too large");
      }
      budget.use_cells(count, location);
      if (array->plain) {
        array->numbers.assign(at(count), 0);
      } else {
        const Value zero = zero_of(type->element, budget, location);
        hold(*array, zero, location);
        array->values.assign(at(count), zero);
      }
      return object_value(ValueKind::array, std::move(array));
    }
    case TypeKind::pointer:
    case TypeKind::many_pointer:
      return {};  // leads nowhere until it is set
    default:
      fail(location, "a variable of type {} needs a value", to_text(*type));
  }
}

}  // namespace muster::wafer::csl
