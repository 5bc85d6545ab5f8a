// One operation becomes one instruction, and one more for a control wavelet after it.
#include "backend/wafer/csl/operations.h"

#include <algorithm>
#include <optional>

namespace muster::wafer {

namespace {

/// What an operation is made of, before it is known whether CSL has it.
struct Parts {
  std::vector<int> streams;
  bool own = false;
  bool store = false;
  bool send = false;
};

Parts parts_of(const Operation& operation) {
  Parts parts;
  for (const std::int8_t operand : operation.operands) {
    if (operand == kOwnOperand) {
      parts.own = true;
    } else {
      parts.streams.push_back(operand);
    }
  }
  parts.store = operation.store != Buffer::none;
  parts.send = !operation.outputs.empty();
  return parts;
}

bool is_scattered(SpanId span, const SpanTable& spans) { return spans.ranges(span).size() > 1; }

std::optional<std::string> exchange_problem(const Operation& operation, const Parts& parts, const SpanTable& spans) {
  if (operation.outputs.size() != 1 || parts.streams.empty() || !parts.store) {
    return "is an exchange that does not receive, store and send on one color; others are not supported";
  }
  if (is_scattered(operation.sent_elements, spans) || is_scattered(operation.store_elements, spans) ||
      (parts.own && is_scattered(operation.own_elements, spans))) {
    return "exchanges scattered elements; only contiguous ones are supported";
  }
  if (operation.sent == operation.store && spans.meet(operation.sent_elements, operation.store_elements)) {
    return "stores where it sends from; the two CSL instructions would race";
  }
  return std::nullopt;
}

std::optional<std::string> problem_of(const Operation& operation, const Parts& parts, const SpanTable& spans) {
  if (parts.streams.size() > 1) {
    return fmt::format("combines {} streams at once; an instruction takes one", parts.streams.size());
  }
  if (operation.sent != Buffer::none) return exchange_problem(operation, parts, spans);
  if (operation.outputs.size() > 1) {
    return fmt::format("sends on {} colors at once; an instruction has one destination", operation.outputs.size());
  }
  if (parts.send && parts.store) return "stores and sends at once; an instruction has one destination";
  const bool pieces = (parts.own && is_scattered(operation.own_elements, spans)) ||
                      (parts.store && is_scattered(operation.store_elements, spans));
  if (pieces) return "works on scattered elements; an instruction takes contiguous ones";
  return std::nullopt;
}

CslAction action_of(const Operation& operation, const Parts& parts) {
  if (operation.sent != Buffer::none) return parts.own ? CslAction::exchange_combine : CslAction::exchange;
  if (parts.streams.empty()) {
    return parts.send ? CslAction::send : CslAction::copy;
  }
  if (parts.send) return parts.own ? CslAction::combine_and_send : CslAction::forward;
  return parts.own ? CslAction::combine : CslAction::receive;
}

/// An instruction of no elements is left out: a descriptor may not be empty.
bool only_controls(const Operation& operation, const SpanTable& spans) {
  return operation.sent == Buffer::none && (operation.operands.empty() || spans.count(operation.elements) == 0);
}

std::optional<CslAction> control_of(Ending ending) {
  if (ending == Ending::advance) return CslAction::advance;
  if (ending == Ending::reset) return CslAction::reset;
  return std::nullopt;
}

class Writer {
 public:
  explicit Writer(const WaferProgram& program) : program_(program) {}

  std::optional<std::string> write(const Operation& operation) {
    if (only_controls(operation, program_.spans)) return write_controls(operation);
    const Parts parts = parts_of(operation);
    if (auto problem = problem_of(operation, parts, program_.spans)) return problem;
    write_data(operation, parts);
    return write_controls(operation);
  }

  CslOperations take() { return std::move(done_); }

 private:
  void write_data(const Operation& operation, const Parts& parts) {
    const std::int64_t per_word = program_.arithmetic.type == ElementType::f16 ? 2 : 1;
    CslOperation data{.action = action_of(operation, parts),
                      .length = per_word * program_.spans.count(operation.elements)};
    data.sent_length = data.length;
    if (!parts.streams.empty()) data.take = parts.streams.front();
    if (parts.send) {
      data.send = operation.outputs.front().color;
      data.advance_own = operation.outputs.front().ending == Ending::advance_own;
    }
    if (parts.own) {
      data.own = operation.own;
      data.own_first = per_word * first_of(operation.own_elements);
    }
    if (parts.store) {
      data.store = operation.store;
      data.store_first = per_word * first_of(operation.store_elements);
    }
    if (operation.sent != Buffer::none) {
      data.sent = operation.sent;
      data.sent_first = per_word * first_of(operation.sent_elements);
      data.sent_length = per_word * program_.spans.count(operation.sent_elements);
    }
    add(data, operation.times);
  }

  std::optional<std::string> write_controls(const Operation& operation) {
    for (const Output& output : operation.outputs) {
      const auto action = control_of(output.ending);
      if (!action) continue;
      if (operation.times > 1) {
        return fmt::format("repeats an operation with a control wavelet {} times; only once is supported",
                           operation.times);
      }
      add({.action = *action, .send = output.color}, 1);
    }
    return std::nullopt;
  }

  void add(const CslOperation& operation, std::int32_t times) {
    done_.list.push_back(operation);
    done_.times.push_back(times);
  }

  [[nodiscard]] std::int64_t first_of(SpanId span) const {
    const auto ranges = program_.spans.ranges(span);
    return ranges.empty() ? 0 : ranges.front().first;
  }

  const WaferProgram& program_;
  CslOperations done_;
};

std::string combined(Operator op, const std::string& left, const std::string& right) {
  switch (op) {
    case Operator::sum:
      return left + " + " + right;
    case Operator::max:
      return "max(" + left + ", " + right + ")";
    case Operator::min:
      return "min(" + left + ", " + right + ")";
    case Operator::prod:
      return left + " * " + right;
  }
  return "";
}

}  // namespace

bool takes(CslAction action) {
  return action == CslAction::receive || action == CslAction::forward || action == CslAction::combine ||
         action == CslAction::combine_and_send || exchanges(action);
}

bool sends(CslAction action) {
  return action == CslAction::send || action == CslAction::forward || action == CslAction::combine_and_send ||
         exchanges(action);
}

bool exchanges(CslAction action) { return action == CslAction::exchange || action == CslAction::exchange_combine; }

bool is_control(CslAction action) { return action == CslAction::advance || action == CslAction::reset; }

Outcome<CslOperations> csl_operations(const WaferProgram& program, const ProcessorClass& processor) {
  Writer writer(program);
  for (const Operation& operation : processor.operations) {
    if (operation.lane != processor.operations.front().lane) {
      return Refusal{"runs two lanes; only one is supported"};
    }
    if (const auto problem = writer.write(operation)) return Refusal{*problem};
  }
  return writer.take();
}

std::string describe(const CslOperation& operation, const WaferProgram& program) {
  // A program of one processor has no colors; then no operation takes or sends.
  const auto color = [&](int c) {
    const auto index = static_cast<std::size_t>(c);
    return index < program.colors.size() ? fmt::format("color {}", program.colors[index]) : std::string();
  };
  const std::string own(buffer_name(operation.own));
  const std::string store(buffer_name(operation.store));
  const std::string take = color(operation.take);
  const std::string send = color(operation.send);
  const std::string advancing = operation.advance_own ? ", advancing" : "";
  const std::string both = combined(program.arithmetic.op, own, take);
  switch (operation.action) {
    case CslAction::nothing:
      return "nothing";
    case CslAction::send:
      return send + " <- " + own + advancing;
    case CslAction::copy:
      return store + " <- " + own;
    case CslAction::receive:
      return store + " <- " + take;
    case CslAction::forward:
      return send + " <- " + take + advancing;
    case CslAction::combine:
      return store + " <- " + both;
    case CslAction::combine_and_send:
      return send + " <- " + both + advancing;
    case CslAction::advance:
      return "advance " + send;
    case CslAction::reset:
      return "reset " + send;
    case CslAction::exchange:
      return fmt::format("{} <- {}{} beside {} <- {}", send, buffer_name(operation.sent), advancing, store, take);
    case CslAction::exchange_combine:
      return fmt::format("{} <- {}{} beside {} <- {}", send, buffer_name(operation.sent), advancing, store, both);
  }
  return "";
}

}  // namespace muster::wafer
