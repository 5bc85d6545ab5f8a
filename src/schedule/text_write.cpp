// Writing the text form: one stream, step or group to a line.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "schedule/phase.h"
#include "schedule/text.h"

namespace muster {

namespace {

class Writer {
 public:
  std::string take() { return std::move(out_); }

  /// The members of a schedule, each on lines of its own, without the braces around them.
  void body(const Schedule& schedule) {
    const auto& [input, output, scratch, model, series, record] = schedule.extent;
    line(R"("nodes": {},)", schedule.node_count);
    std::string more = model > 0 ? fmt::format(R"(, "model": {})", model) : "";
    if (series > 0) more += fmt::format(R"(, "series": {})", series);
    if (record > 0) more += fmt::format(R"(, "record": {})", record);
    line(R"("extent": {{"input": {}, "output": {}, "scratch": {}{}}},)", input, output, scratch, more);
    list("contracts", schedule.contracts.size(), [&](std::size_t i) { contract(schedule.contracts[i]); });
    put(",\n");
    list("spans", static_cast<std::size_t>(schedule.spans.size()), [&](std::size_t i) { span(schedule, i); });
    tables(schedule);
    const bool has_phases = !schedule.phases.empty() || !schedule.parts.empty();
    if (!has_phases || !schedule.streams.empty() || !schedule.lanes.empty()) {
      put(",\n");
      list("streams", schedule.streams.size(), [&](std::size_t i) { stream(schedule, schedule.streams[i]); });
      put(",\n");
      list("lanes", schedule.lanes.size(), [&](std::size_t i) { lane(schedule, schedule.lanes[i]); });
    }
    if (has_phases) {
      put(",\n");
      list("parts", schedule.parts.size(), [&](std::size_t i) { object(schedule.parts[i]); });
      put(",\n");
      list("group_sets", schedule.group_sets.size(), [&](std::size_t i) { group_set(schedule.group_sets[i]); });
      put(",\n");
      list("phases", schedule.phases.size(), [&](std::size_t i) { phase(schedule.phases[i]); });
      if (schedule.repeat != 1) {
        put(",\n");
        begin_line();
        put(R"("repeat": {})", schedule.repeat);
      }
      if (schedule.record_every != 1) {
        put(",\n");
        begin_line();
        put(R"("record_every": {})", schedule.record_every);
      }
    }
    put("\n");
  }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    begin_line();
    put(format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void indent() { indent_ += 2; }
  void outdent() { indent_ -= 2; }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void begin_line() { out_.append(indent_, ' '); }

  /// "name": [ with one item to a line ]
  template <class Item>
  void list(std::string_view name, std::size_t size, const Item& item) {
    begin_line();
    put("\"{}\": [", name);
    items(size, item);
  }

  template <class Item>
  void items(std::size_t size, const Item& item) {
    put("\n");
    indent();
    for (std::size_t i = 0; i < size; ++i) {
      begin_line();
      item(i);
      out_ += i + 1 < size ? ",\n" : "\n";
    }
    outdent();
    begin_line();
    out_ += ']';
  }

  /// [a, b, c] on the same line.
  template <class Values, class Item>
  void row(const Values& values, const Item& item) {
    out_ += '[';
    bool first = true;
    for (const auto& value : values) {
      if (!first) out_ += ", ";
      first = false;
      item(value);
    }
    out_ += ']';
  }
  template <class Values>
  void numbers(const Values& values) {
    row(values, [&](const auto value) { put("{}", value); });
  }

  void object(const Schedule& schedule) {
    put("{{\n");
    indent();
    body(schedule);
    outdent();
    begin_line();
    out_ += '}';
  }

  /// Coefficients and terms, where there are some.
  void tables(const Schedule& schedule) {
    if (!schedule.coefficients.empty()) {
      put(",\n");
      list("coefficients", schedule.coefficients.size(), [&](std::size_t i) { coefficient(schedule.coefficients[i]); });
    }
    if (!schedule.terms.empty()) {
      put(",\n");
      list("terms", schedule.terms.size(), [&](std::size_t i) {
        put(R"(["{}", {}])", buffer_name(schedule.terms[i].buffer), schedule.terms[i].elements);
      });
    }
  }

  void coefficient(const Coefficient& c) {
    if (c.is_array()) {
      const std::string first = c.first != 0 ? fmt::format(R"(, "first": {})", c.first) : "";
      put(R"({{"name": "{}", "array": "{}"{}}})", c.name, buffer_name(c.array), first);
    } else {
      put(R"({{"name": "{}", "value": {}}})", c.name, number(c.value));
    }
  }

  /// The shortest text that is this number, never a whole one: "-0.0".
  static std::string number(float value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
  }

  void stencil(const Contract& c) {
    put(R"(, "columns": {}, "margin": {}, "terms": )", c.columns, c.margin);
    row(c.terms, [&](const StencilTerm& term) {
      put(R"({{"of": "{}", "offset": [{}, {}, {}])", buffer_name(term.buffer), term.dx, term.dy, term.dz);
      if (!term.coefficient.empty()) put(R"(, "times": "{}")", term.coefficient);
      if (!term.array.empty()) put(R"(, "array": "{}")", term.array);
      put("}}");
    });
    if (c.steps != 1) put(R"(, "steps": {})", c.steps);
    points("sources", c.sources);
    points("receivers", c.receivers);
  }

  void points(std::string_view name, const std::vector<StencilPoints>& points) {
    if (points.empty()) return;
    put(R"(, "{}": )", name);
    row(points, [&](const StencilPoints& p) {
      put(R"({{"rank": {}, "elements": [{}, {}], "first": {}}})", p.rank, p.elements.first, p.elements.count, p.first);
    });
  }

  void contract(const Contract& c) {
    put(R"({{"collective": "{}", "ranks": )", collective_name(c.collective));
    numbers(c.ranks);
    if (has_root(c.collective)) put(R"(, "root": {})", c.root);
    put(R"(, "count": {}, "from": "{}", "to": "{}")", c.count, buffer_name(c.from), buffer_name(c.to));
    if (c.collective == Collective::stencil) {
      stencil(c);
    } else if (c.collective == Collective::neighbours || !c.neighbours.empty() || c.columns != 0) {
      put(R"(, "neighbours": )");
      row(c.neighbours, [&](const Offset& offset) { put("[{}, {}]", offset.dx, offset.dy); });
      put(R"(, "columns": {})", c.columns);
    }
    if (!c.blocks.empty()) {
      put(R"(, "blocks": )");
      row(c.blocks, [&](const Range& range) { put("[{}, {}]", range.first, range.count); });
    }
    if (c.root_in_place) put(R"(, "root_in_place": true)");
    if (c.others_in_place) put(R"(, "others_in_place": true)");
    put("}}");
  }

  void span(const Schedule& s, std::size_t id) {
    row(s.spans.ranges(static_cast<SpanId>(id)),
        [&](const Range& range) { put("[{}, {}]", range.first, range.count); });
  }

  void stream(const Schedule& s, const Stream& stream) {
    put(R"({{"from": {}, "to": )", stream.source);
    numbers(s.sinks_of(stream));
    put(R"(, "span": {})", stream.elements);
    if (stream.route != kDefaultRoute) {
      put(R"(, "route": )");
      row(s.routes.at(static_cast<std::size_t>(stream.route)),
          [&](const Hop& hop) { put("[{}, {}]", hop.from, hop.to); });
    }
    put("}}");
  }

  void lane(const Schedule& s, const Lane& lane) {
    put(R"({{"node": {}, "steps": [)", lane.node);
    items(static_cast<std::size_t>(lane.count),
          [&](std::size_t i) { step(s, lane, s.steps.at(static_cast<std::size_t>(lane.first) + i)); });
    put("}}");
  }

  void step(const Schedule& s, const Lane& lane, const Step& step) {
    put(R"({{"span": {}, "operands": )", step.elements);
    std::size_t number = 0;
    row(s.operands_of(step), [&](const StreamId id) {
      const std::int32_t factor = s.factor_of(step, number++);
      if (factor == kOne) return operand(id);
      put(R"({{"times": "{}", "of": )", s.coefficients.at(static_cast<std::size_t>(factor)).name);
      operand(id);
      put("}}");
    });
    write_buffer("own", step.own, step.own_elements, step.elements);
    write_buffer("store", step.store, step.store_elements, step.elements);
    write_buffer("send_old", step.sent, step.sent_elements, step.elements);
    if (step.outputs.count > 0) {
      put(R"(, "push": )");
      numbers(s.outputs_of(step));
    }
    if (step.waits.count > 0) {
      put(R"(, "after": )");
      row(s.waits_of(step), [&](const StepId id) { wait(s, lane.node, id); });
    }
    put("}}");
  }

  void operand(StreamId id) {
    if (is_stream(id)) {
      put("{}", id);
    } else if (is_term(id)) {
      put(R"({{"term": {}}})", term_index(id));
    } else {
      put(R"("own")");
    }
  }

  /// A buffer and where in it; left out if there is nothing to say.
  void write_buffer(std::string_view key, Buffer buffer, SpanId span, SpanId of_step) {
    if (span != of_step) {
      put(R"(, "{}": ["{}", {}])", key, buffer_name(buffer), span);
    } else if (buffer != Buffer::none) {
      put(R"(, "{}": "{}")", key, buffer_name(buffer));
    }
  }

  /// Steps are grouped by lane, so the lane of a step is the last one that begins at it or before.
  void wait(const Schedule& s, NodeId node, StepId id) {
    const auto next = std::upper_bound(s.lanes.begin(), s.lanes.end(), id,
                                       [](StepId step, const Lane& lane) { return step < lane.first; });
    MUSTER_ASSERT(id >= 0 && next != s.lanes.begin(), "wait for step {}", id);
    const Lane& lane = *std::prev(next);
    const auto number = std::prev(next) - s.lanes.begin() - s.first_lane.at(static_cast<std::size_t>(lane.node));
    if (lane.node == node) {
      put("[{}, {}]", number, id - lane.first);
    } else {
      put("[{}, {}, {}]", lane.node, number, id - lane.first);
    }
  }

  void group_set(const std::vector<Group>& groups) {
    put("[");
    items(groups.size(), [&](std::size_t i) {
      put(R"({{"members": )");
      numbers(groups[i].members);
      put(R"(, "on": {}}})", groups[i].on);
    });
  }

  void phase(const Phase& phase) {
    put(R"({{"part": {}, "groups": {}, "offset": {}, "input": "{}", "output": "{}", "after": )", phase.part,
        phase.groups, phase.offset, buffer_name(phase.input), buffer_name(phase.output));
    numbers(phase.after);
    put("}}");
  }

  std::string out_;
  std::size_t indent_ = 0;
};

}  // namespace

std::string to_text(const Schedule& schedule) {
  Writer writer;
  writer.line("{{");
  writer.indent();
  writer.line(R"("schema": {},)", kScheduleVersion);
  writer.line(R"("kind": "muster-schedule",)");
  if (!schedule.made_for.empty()) writer.line(R"("made_for": "{}",)", schedule.made_for);
  writer.body(schedule);
  writer.outdent();
  writer.line("}}");
  return writer.take();
}

}  // namespace muster
