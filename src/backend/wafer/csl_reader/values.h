// What CSL expressions evaluate to. A value is small and cheap to copy; strings, structs, arrays and descriptors share
// an object behind it, which is copied before it is changed.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/wafer/csl_reader/integers.h"
#include "backend/wafer/csl_reader/source.h"

namespace muster::wafer::csl {

struct Declaration;
class Instance;

struct Object {
  Object() = default;
  Object(const Object&) = default;
  Object& operator=(const Object&) = default;
  virtual ~Object() = default;
  int depth = 0;  ///< of the values inside it; bounded, so that no recursion over a value is deep
};

enum class TypeKind : std::uint8_t {
  any,      ///< anytype, or a parameter without a type
  nothing,  ///< void
  boolean,
  integer,  ///< bits and sign; 0 bits: comptime_int
  real,     ///< bits; 0: comptime_float
  string,
  type,
  structure,  ///< comptime_struct
  array,
  pointer,       ///< *T
  many_pointer,  ///< [*]T
  function,
  color,
  input_queue,
  output_queue,
  local_task_id,
  data_task_id,
  control_task_id,
  direction,
  descriptor,
  module,
  range,
  enumeration,
};

struct Type : Object {
  TypeKind kind = TypeKind::any;
  int bits = 0;
  bool is_signed = false;
  std::string name;                      ///< as CSL spells it
  std::vector<std::int64_t> dimensions;  ///< of an array
  std::shared_ptr<const Type> element;   ///< of an array or pointer; an enumeration's underlying, a function's result
  std::vector<std::shared_ptr<const Type>> parameters;  ///< of a function
  std::vector<std::string> members;                     ///< of an enumeration
  std::vector<std::int64_t> numbers;                    ///< of its members
};
using TypePtr = std::shared_ptr<const Type>;

/// Whether two types are the same: by structure, enumerations by identity.
bool same_type(const Type& a, const Type& b);

enum class ValueKind : std::uint8_t {
  undefined,
  nothing,
  boolean,
  integer,
  real,
  string,
  type,
  structure,  ///< named fields, or none: a tuple
  array,
  color,
  input_queue,
  output_queue,
  task_id,
  microthread,
  direction,  ///< number: as Direction counts
  descriptor,
  function,
  library,  ///< something of a vendor's module: its path
  module,   ///< an imported file
  control,  ///< the payload of a control wavelet; number: ControlCode
  pointer,  ///< to a variable
  access,   ///< |i|{n} -> a[i]
  range,
  enumerator,
};

enum class ControlCode : std::uint8_t { advance, reset };

/// What a value is but for its object.
struct Number {
  ValueKind kind = ValueKind::undefined;
  std::uint8_t bits = 0;        ///< of an integer or real; 0: known at compile time only
  bool is_signed = false;       ///< of an integer
  TypeKind id = TypeKind::any;  ///< of a task id: which
  std::int64_t number = 0;

  [[nodiscard]] double real() const { return std::bit_cast<double>(number); }
  [[nodiscard]] bool truth() const { return number != 0; }
  [[nodiscard]] bool is(ValueKind k) const { return kind == k; }
};

struct Value : Number {
  Value() = default;
  explicit Value(const Number& plain) : Number(plain) {}
  std::shared_ptr<Object> object;
};

inline Number integer_number(std::int64_t number, int bits, bool is_signed) {
  return {
      .kind = ValueKind::integer, .bits = static_cast<std::uint8_t>(bits), .is_signed = is_signed, .number = number};
}
inline Number boolean_number(bool truth) { return {.kind = ValueKind::boolean, .number = truth ? 1 : 0}; }

struct Text : Object {
  std::string text;
};

using Names = std::shared_ptr<const std::vector<std::string>>;

/// A struct, or a tuple if it has no names.
struct Record : Object {
  Names names;
  std::vector<Value> values;
  [[nodiscard]] const Value* find(std::string_view name) const;
};

/// Elements row by row: plain numbers where the element type is an integer or bool, values otherwise.
struct Array : Object {
  TypePtr element;
  std::vector<std::int64_t> dimensions;
  bool plain = false;
  Integers numbers;
  std::vector<Value> values;
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(plain ? numbers.size() : values.size()); }
  [[nodiscard]] Value at(std::int64_t index) const {
    return plain ? Value(number_at(static_cast<std::size_t>(index))) : values[static_cast<std::size_t>(index)];
  }
  /// If it is plain.
  [[nodiscard]] Number number_at(std::size_t index) const {
    if (element->kind == TypeKind::boolean) return boolean_number(numbers[index] != 0);
    return integer_number(numbers[index], element->bits, element->is_signed);
  }
  /// Prepares for elements of this type.
  void set_element(TypePtr type);
};

/// A variable of a file, as pointers and descriptors name it.
struct Variable {
  Instance* instance = nullptr;
  std::int32_t global = -1;
  auto operator<=>(const Variable&) const = default;
};

struct PointerTo : Object {
  Variable variable;
};

/// An affine walk over an array: element first + k * stride for k < extent.
struct Walk {
  Variable variable;
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t extent = 0;
  bool operator==(const Walk&) const = default;
};

struct Access : Object {
  Walk walk;
};

enum class DescriptorKind : std::uint8_t { memory, fabric_in, fabric_out };

struct Descriptor : Object {
  DescriptorKind kind = DescriptorKind::memory;
  Walk walk;                ///< of memory; of a fabric end only the extent
  std::int64_t color = -1;  ///< where the descriptor names it
  std::int64_t queue = -1;
  bool control = false;
  bool advance_switch = false;
  bool packs_two = false;  ///< two 16-bit numbers per wavelet
  Location location;
};

struct FunctionOf : Object {
  Instance* instance = nullptr;
  const Declaration* declaration = nullptr;
};

struct ModuleOf : Object {
  Instance* instance = nullptr;
};

struct RangeOf : Object {
  TypePtr type;
  std::int64_t start = 0;
  std::int64_t stop = 0;
  std::int64_t step = 1;
};

Value nothing_value();
Value boolean_value(bool truth);
Value integer_value(std::int64_t number, int bits = 0, bool is_signed = true);
Value real_value(double number, int bits = 0);
Value string_value(std::string text);
Value type_value(TypePtr type);
Value library_value(std::string path);
Value plain_value(ValueKind kind, std::int64_t number);
Value record_value(Names names, std::vector<Value> values);
template <class T>
Value object_value(ValueKind kind, std::shared_ptr<T> object) {
  Value value;
  value.kind = kind;
  value.object = std::move(object);
  return value;
}

/// The object behind a value whose kind says that it is a T.
template <class T>
const T& object_of(const Value& value) {
  return static_cast<const T&>(*value.object);
}

/// The same for change: copied first if someone else holds it too.
template <class T>
T& own_object(Value& value) {
  if (value.object.use_count() > 1) value.object = std::make_shared<T>(static_cast<const T&>(*value.object));
  return static_cast<T&>(*value.object);
}

/// "an integer (u16)", for messages.
std::string describe(const Value& value);
/// The value itself, short: "3", "[4]u16", ".{ .a = 1 }".
std::string to_text(const Value& value);

TypePtr integer_type(int bits, bool is_signed);
TypePtr real_type(int bits);
TypePtr array_type(std::vector<std::int64_t> dimensions, TypePtr element);
/// A type that CSL has a name for ("u16", "color", "comptime_struct"), or null.
TypePtr named_type(std::string_view name);
/// The type of a value.
TypePtr type_of(const Value& value);
std::string to_text(const Type& type);

/// Whether an integer of so many bits (0: any) holds the number.
inline bool fits(std::int64_t number, int bits, bool is_signed) {
  if (bits == 0) return true;
  if (!is_signed) return number >= 0 && (bits >= 63 || number < (std::int64_t{1} << bits));
  if (bits >= 64) return true;
  const std::int64_t most = std::int64_t{1} << (bits - 1);
  return number >= -most && number < most;
}
/// A value equal in all that decides what a processor does; library values are equal whatever they are.
bool same_value(const Value& a, const Value& b);
/// Equal values have equal hashes.
std::uint64_t hash_of(const Value& value);

}  // namespace muster::wafer::csl
