// Making, comparing and describing values and types.
#include "backend/wafer/csl_reader/values.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/index.h"
#include "base/one_line.h"

namespace muster::wafer::csl {

namespace {

class Hash {
 public:
  void add(std::uint64_t value) { value_ = (value_ ^ value) * 0x100000001b3ULL; }
  void add(const Value& v) {
    add(static_cast<std::uint64_t>(v.kind));
    if (v.kind == ValueKind::library) return;
    add(static_cast<std::uint64_t>(v.number));
    if (v.kind == ValueKind::structure) {
      for (const Value& field : object_of<Record>(v).values) add(field);
    } else if (v.kind == ValueKind::array) {
      const auto& array = object_of<Array>(v);
      for (std::size_t i = 0; i < array.numbers.size(); ++i) add(static_cast<std::uint64_t>(array.numbers[i]));
      for (const Value& element : array.values) add(element);
    } else if (v.kind == ValueKind::string) {
      for (const char c : object_of<Text>(v).text) add(static_cast<unsigned char>(c));
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

bool same_values(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_value);
}

bool same_objects(const Value& a, const Value& b) {
  switch (a.kind) {
    case ValueKind::string:
      return object_of<Text>(a).text == object_of<Text>(b).text;
    case ValueKind::type:
      return same_type(object_of<Type>(a), object_of<Type>(b));
    case ValueKind::structure: {
      const auto& x = object_of<Record>(a);
      const auto& y = object_of<Record>(b);
      const bool both = x.names != nullptr && y.names != nullptr;
      return (x.names == y.names || (both && *x.names == *y.names)) && same_values(x.values, y.values);
    }
    case ValueKind::array: {
      const auto& x = object_of<Array>(a);
      const auto& y = object_of<Array>(b);
      return x.dimensions == y.dimensions && x.numbers == y.numbers && same_values(x.values, y.values);
    }
    case ValueKind::pointer:
      return object_of<PointerTo>(a).variable == object_of<PointerTo>(b).variable;
    case ValueKind::function: {
      const auto& x = object_of<FunctionOf>(a);
      const auto& y = object_of<FunctionOf>(b);
      return x.instance == y.instance && x.declaration == y.declaration;
    }
    default:
      return a.object == b.object;
  }
}

}  // namespace

const Value* Record::find(std::string_view name) const {
  for (std::size_t i = 0; names != nullptr && i < names->size(); ++i) {
    if ((*names)[i] == name) return &values[i];
  }
  return nullptr;
}

void Array::set_element(TypePtr type) {
  element = std::move(type);
  plain = element->kind == TypeKind::integer || element->kind == TypeKind::boolean;
  if (plain) numbers = Integers(element->bits, element->kind == TypeKind::integer && element->is_signed);
}

Value plain_value(ValueKind kind, std::int64_t number) {
  Value value;
  value.kind = kind;
  value.number = number;
  return value;
}

Value nothing_value() { return plain_value(ValueKind::nothing, 0); }
Value boolean_value(bool truth) { return Value(boolean_number(truth)); }

Value integer_value(std::int64_t number, int bits, bool is_signed) {
  return Value(integer_number(number, bits, is_signed));
}

Value real_value(double number, int bits) {
  Value value = plain_value(ValueKind::real, std::bit_cast<std::int64_t>(number));
  value.bits = static_cast<std::uint8_t>(bits);
  return value;
}

Value string_value(std::string text) {
  auto object = std::make_shared<Text>();
  object->text = std::move(text);
  return object_value(ValueKind::string, std::move(object));
}

Value type_value(TypePtr type) { return object_value(ValueKind::type, std::const_pointer_cast<Type>(std::move(type))); }

Value library_value(std::string path) {
  Value value = string_value(std::move(path));
  value.kind = ValueKind::library;
  return value;
}

Value record_value(Names names, std::vector<Value> values) {
  auto record = std::make_shared<Record>();
  record->names = std::move(names);
  record->values = std::move(values);
  return object_value(ValueKind::structure, std::move(record));
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case ValueKind::undefined:
      return "an undefined value";
    case ValueKind::integer:
    case ValueKind::real:
    case ValueKind::boolean:
      return fmt::format("{} ({})", to_text(value), to_text(*type_of(value)));
    case ValueKind::library:
      return fmt::format("{} of the vendor", object_of<Text>(value).text);
    case ValueKind::function:
      return "a function";
    case ValueKind::module:
      return "a module";
    case ValueKind::pointer:
      return "a pointer";
    case ValueKind::control:
      return "a control payload";
    case ValueKind::access:
      return "a tensor access";
    case ValueKind::enumerator:
      return "an enum value";
    case ValueKind::descriptor:
      return "a descriptor";
    default:
      return fmt::format("a value of type {}", to_text(*type_of(value)));
  }
}

std::string to_text(const Value& value) {
  switch (value.kind) {
    case ValueKind::nothing:
      return "{}";
    case ValueKind::boolean:
      return value.truth() ? "true" : "false";
    case ValueKind::integer:
      return std::to_string(value.number);
    case ValueKind::real:
      return fmt::format("{}", value.real());
    case ValueKind::string:
      return one_line(object_of<Text>(value).text, 60);
    case ValueKind::type:
      return to_text(object_of<Type>(value));
    default:
      return describe(value);
  }
}

bool same_value(const Value& a, const Value& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == ValueKind::library) return true;
  if (a.number != b.number || a.id != b.id) return false;
  if (a.object == b.object) return true;
  return a.object != nullptr && b.object != nullptr && same_objects(a, b);
}

std::uint64_t hash_of(const Value& value) {
  Hash hash;
  hash.add(value);
  return hash.value();
}

}  // namespace muster::wafer::csl
