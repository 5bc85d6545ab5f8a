// Operators. Typed integers of different types combine where one type holds the values of the other; a result that does
// not fit is an error, at compile time as in a task.
#include <cmath>

#include "backend/wafer/csl_reader/evaluator.h"

namespace muster::wafer::csl {

namespace {

std::string_view op_text(BinaryOp op) {
  static constexpr std::array<std::string_view, 16> kTexts{"+", "-", "*",  "/",  "%", "<<", ">>", "&",
                                                           "|", "^", "==", "!=", "<", "<=", ">",  ">="};
  return kTexts[static_cast<std::size_t>(op)];
}

bool is_comparison(BinaryOp op) { return op >= BinaryOp::equal; }

template <class T>
bool compare(BinaryOp op, T left, T right) {
  switch (op) {
    case BinaryOp::equal:
      return left == right;
    case BinaryOp::not_equal:
      return left != right;
    case BinaryOp::less:
      return left < right;
    case BinaryOp::less_equal:
      return left <= right;
    case BinaryOp::greater:
      return left > right;
    default:
      return left >= right;
  }
}

/// The common type of two integers: the type that holds both.
void common_type(const Number& left, const Number& right, Number& result) {
  const Number& wide = left.bits == 0 ? right : right.bits == 0 ? left : left.bits >= right.bits ? left : right;
  result.bits = wide.bits;
  result.is_signed = wide.is_signed;
}

bool have_common_type(const Number& left, const Number& right) {
  if (left.bits == 0 || right.bits == 0 || left.is_signed == right.is_signed) return true;
  const Number& with_sign = left.is_signed ? left : right;
  const Number& without = left.is_signed ? right : left;
  return without.bits < with_sign.bits;
}

/// False if the result leaves 64 bits.
bool calculate(BinaryOp op, std::int64_t left, std::int64_t right, std::int64_t& result, const Location& location) {
  switch (op) {
    case BinaryOp::add:
      return !__builtin_add_overflow(left, right, &result);
    case BinaryOp::subtract:
      return !__builtin_sub_overflow(left, right, &result);
    case BinaryOp::multiply:
      return !__builtin_mul_overflow(left, right, &result);
    case BinaryOp::divide:
    case BinaryOp::remainder:
      if (right == 0) fail(location, "division by zero");
      if (right == -1) {
        result = 0;
        return op == BinaryOp::remainder || !__builtin_sub_overflow(std::int64_t{0}, left, &result);
      }
      result = op == BinaryOp::divide ? left / right : left % right;
      return true;
    case BinaryOp::shift_left:
      if (right < 0 || right > 62) fail(location, "a shift by {} bits; use 0 to 62", right);
      return !__builtin_mul_overflow(left, std::int64_t{1} << right, &result);
    case BinaryOp::shift_right:
      if (right < 0 || right > 62) fail(location, "a shift by {} bits; use 0 to 62", right);
      result = left >> right;
      return true;
    case BinaryOp::bit_and:
      result = left & right;
      return true;
    case BinaryOp::bit_or:
      result = left | right;
      return true;
    default:
      result = left ^ right;
      return true;
  }
}

double as_real(const Value& value) {
  return value.is(ValueKind::real) ? value.real() : static_cast<double>(value.number);
}

Value combine_reals(BinaryOp op, const Value& left, const Value& right, const Location& location) {
  const double a = as_real(left);
  const double b = as_real(right);
  if (is_comparison(op)) return boolean_value(compare(op, a, b));
  const int bits = std::max(left.is(ValueKind::real) ? left.bits : 0, right.is(ValueKind::real) ? right.bits : 0);
  switch (op) {
    case BinaryOp::add:
      return real_value(a + b, bits);
    case BinaryOp::subtract:
      return real_value(a - b, bits);
    case BinaryOp::multiply:
      return real_value(a * b, bits);
    case BinaryOp::divide:
      return real_value(a / b, bits);
    default:
      fail(location, "'{}' is not for floating-point numbers", op_text(op));
  }
}

bool is_number(const Value& value) {
  return value.is(ValueKind::real) || (value.is(ValueKind::integer) && value.bits == 0);
}

}  // namespace

namespace {

[[noreturn]] void fail_without_type(BinaryOp op, const Number& left, const Number& right, const Location& location) {
  fail(location, "'{}' of {} and {}; convert one with @as", op_text(op), describe(Value(left)), describe(Value(right)));
}

[[noreturn]] void fail_to_fit(BinaryOp op, const Number& left, const Number& right, const Number& result,
                              const Location& location) {
  fail(location, "{} {} {} does not fit into {}", left.number, op_text(op), right.number,
       integer_type(result.bits, result.is_signed)->name);
}

}  // namespace

Number combine_integers(BinaryOp op, const Number& left, const Number& right, const Location& location) {
  if (!have_common_type(left, right)) fail_without_type(op, left, right, location);
  if (is_comparison(op)) return boolean_number(compare(op, left.number, right.number));
  Number result;
  result.kind = ValueKind::integer;
  common_type(left, right, result);
  if (!calculate(op, left.number, right.number, result.number, location) ||
      !fits(result.number, result.bits, result.is_signed)) {
    fail_to_fit(op, left, right, result, location);
  }
  return result;
}

Value combine(BinaryOp op, const Value& left, const Value& right, const Location& location) {
  if (left.is(ValueKind::integer) && right.is(ValueKind::integer))
    return Value(combine_integers(op, left, right, location));
  if (is_number(left) && is_number(right)) return combine_reals(op, left, right, location);
  const bool alike = left.kind == right.kind && !left.is(ValueKind::undefined) && !left.is(ValueKind::library);
  if (alike && (op == BinaryOp::equal || op == BinaryOp::not_equal)) {
    return boolean_value(same_value(left, right) == (op == BinaryOp::equal));
  }
  fail(location, "'{}' of {} and {} has no meaning", op_text(op), describe(left), describe(right));
}

std::int64_t integer_in(const Value& value, std::int64_t least, std::int64_t most, std::string_view what,
                        const Location& location) {
  if (!value.is(ValueKind::integer)) fail(location, "{}: expected an integer, found {}", what, describe(value));
  if (value.number < least || value.number > most) {
    fail(location, "{}: {} is not between {} and {}", what, value.number, least, most);
  }
  return value.number;
}

const std::string& text_of(const Value& value, std::string_view what, const Location& location) {
  if (!value.is(ValueKind::string)) fail(location, "{}: expected a string, found {}", what, describe(value));
  return object_of<Text>(value).text;
}

}  // namespace muster::wafer::csl
