// Reading the text form. Files come from strangers: nothing is allocated that the text does not pay for, except one
// word per node, and the number of nodes is bounded.
#include "schedule/text.h"

#include <algorithm>
#include <numeric>

#include "base/one_line.h"
#include "schedule/phase.h"
#include "schedule/text_json.h"
#include "schedule/text_reader.h"

namespace muster {

namespace {

constexpr std::size_t kLongestMadeFor = 100;

class Parser {
 public:
  Schedule document(const JsonValue& value) {
    if (const auto schema = value.member("schema"); schema.integer(0, INT32_MAX, "a version") != kScheduleVersion) {
      schema.refuse("version {} is not known; this program reads version {}", schema.text(), kScheduleVersion);
    }
    if (const auto kind = value.member("kind"); kind.string() != "muster-schedule") {
      kind.refuse("{} is not a schedule; use 'muster-schedule'", kind.text());
    }
    value.require_keys({"schema", "kind", "made_for", "nodes", "extent", "contracts", "spans", "coefficients", "terms",
                        "streams", "lanes", "parts", "group_sets", "phases", "repeat", "record_every"});
    Schedule s = schedule(value);
    if (value.has("made_for")) s.made_for = made_for(value.member("made_for"));
    return s;
  }

 private:
  /// A family and a shape are letters and digits.
  static std::string made_for(const JsonValue& value) {
    std::string text = value.string();
    const auto is_plain = [](char c) {
      return c == ' ' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
    };
    if (text.empty() || text.size() > kLongestMadeFor || !std::all_of(text.begin(), text.end(), is_plain)) {
      value.refuse("{} is not a family and a shape; use e.g. 'mesh 7x3'", value.text());
    }
    return text;
  }

  Schedule schedule(const JsonValue& value) {
    Schedule s;
    nodes(s, value);
    extent(s, value);
    spans(s, value);
    contracts(s, value);
    if (value.has("coefficients")) coefficients(s, value.member("coefficients"));
    if (value.has("terms")) terms(s, value.member("terms"));
    const bool has_phases = value.has("parts") || value.has("phases") || value.has("group_sets");
    s.first_lane.assign(static_cast<std::size_t>(s.node_count) + 1, 0);
    if (!has_phases || value.has("streams") || value.has("lanes")) {
      streams(s, value);
      lanes(s, value);
    }
    if (has_phases) {
      parts(s, value);
      if (value.has("group_sets")) group_sets(s, value.member("group_sets"));
      phases(s, value);
      if (value.has("repeat")) s.repeat = value.member("repeat").integer(1, kMostTextElements, "a number of times");
      if (value.has("record_every"))
        s.record_every = value.member("record_every").integer(1, kMostTextElements, "a number of phases");
      if (!s.phases.empty() && !s.lanes.empty()) value.refuse("'lanes' and 'phases' exclude each other");
    }
    return s;
  }

  void nodes(Schedule& s, const JsonValue& value) {
    s.node_count = static_cast<NodeId>(value.member("nodes").integer(1, kMostTextNodes, "a number of nodes"));
    nodes_ += s.node_count;
    if (nodes_ > kMostTextNodes) {
      value.member("nodes").refuse("schedule and parts have more than {} nodes together", kMostTextNodes);
    }
  }

  static void extent(Schedule& s, const JsonValue& value) {
    const JsonValue extent = value.member("extent");
    extent.require_keys({"input", "output", "scratch", "model", "series", "record"});
    const char* keys[] = {"input", "output", "scratch"};
    for (std::size_t i = 0; i < 3; ++i) s.extent[i] = elements(extent.member(keys[i]));
    const char* optional_keys[] = {"model", "series", "record"};
    for (std::size_t i = 0; i < 3; ++i) {
      if (extent.has(optional_keys[i])) s.extent[3 + i] = elements(extent.member(optional_keys[i]));
    }
  }

  static void coefficients(Schedule& s, const JsonValue& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      item.require_keys({"name", "value", "array", "first"});
      Coefficient coefficient{.name = item.member("name").string()};
      if (!is_coefficient_name(coefficient.name)) {
        item.member("name").refuse("{} is not a name; use up to {} letters, digits and _, a letter first",
                                   item.member("name").text(), kLongestCoefficientName);
      }
      if (item.has("value") == item.has("array"))
        item.refuse("has {} of 'value' and 'array'; use one of them", item.has("value") ? "both" : "none");
      if (item.has("array")) {
        coefficient.array = buffer(item.member("array"));
        if (item.has("first"))
          coefficient.first = item.member("first").integer(-kMostTextElements, kMostTextElements, "an element");
      } else {
        coefficient.value = item.member("value").number();
      }
      s.coefficients.push_back(std::move(coefficient));
    }
  }

  static void terms(Schedule& s, const JsonValue& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue term = pair(list, i, "[buffer, span]");
      s.terms.push_back({buffer(term.item(0)), span_id(term.item(1), s)});
    }
  }

  /// The number of a coefficient of the schedule.
  static std::int32_t coefficient(const Schedule& s, const JsonValue& value) {
    const std::string name = value.string();
    const auto known = std::find_if(s.coefficients.begin(), s.coefficients.end(),
                                    [&](const Coefficient& c) { return c.name == name; });
    if (known != s.coefficients.end()) return static_cast<std::int32_t>(known - s.coefficients.begin());
    std::vector<std::string> names;
    for (const Coefficient& c : s.coefficients) names.push_back(c.name);
    if (names.empty()) value.refuse("{} is not a coefficient; list it in 'coefficients'", value.text());
    value.refuse("{} is not a coefficient; {}", value.text(), suggest(name, names));
  }

  static std::int64_t elements(const JsonValue& value) {
    return value.integer(0, kMostTextElements, "a number of elements");
  }

  static void spans(Schedule& s, const JsonValue& value) {
    const JsonValue list = value.member("spans");
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue span = list.item(i);
      ranges.clear();
      for (std::size_t r = 0; r < span.size(); ++r) {
        const JsonValue range = pair(span, r, "[first, count]");
        ranges.push_back({elements(range.item(0)), elements(range.item(1))});
      }
      if (const SpanId id = add_span(s, ranges, span); id != static_cast<SpanId>(i)) {
        span.refuse("the same as spans[{}]; list every span once", id);
      }
    }
  }

  static SpanId add_span(Schedule& s, const std::vector<Range>& ranges, const JsonValue& value) {
    try {
      return s.spans.add(ranges);
    } catch (const InputError& error) {
      value.refuse("{}", error.what());
    }
  }

  static JsonValue pair(const JsonValue& list, std::size_t index, std::string_view what) {
    const JsonValue item = list.item(index);
    if (item.size() != 2) item.refuse("a list of {} is not {}", item.size(), what);
    return item;
  }

  static NodeId node(const JsonValue& value, const Schedule& s) { return value.index(s.node_count, "a node"); }

  static Buffer buffer(const JsonValue& value, bool may_be_none = false) {
    const auto found = buffer_from_name(value.string());
    if (found && (may_be_none || *found != Buffer::none)) return *found;
    value.refuse("{} is not a buffer; use input, output or scratch", value.text());
  }

  static void contracts(Schedule& s, const JsonValue& value) {
    const JsonValue list = value.member("contracts");
    for (std::size_t i = 0; i < list.size(); ++i) s.contracts.push_back(contract(s, list.item(i)));
  }

  static Contract contract(const Schedule& s, const JsonValue& value) {
    value.require_keys({"collective", "ranks", "root", "count", "from", "to", "neighbours", "columns", "blocks",
                        "root_in_place", "others_in_place", "margin", "terms", "steps", "sources", "receivers"});
    Contract c;
    const JsonValue name = value.member("collective");
    const auto collective = collective_from_name(name.string());
    if (!collective) name.refuse("{} is not a collective; {}", name.text(), suggest(name.string(), collective_names()));
    c.collective = *collective;
    const JsonValue ranks = value.member("ranks");
    if (ranks.size() == 0) ranks.refuse("a contract needs at least one rank");
    for (std::size_t i = 0; i < ranks.size(); ++i) c.ranks.push_back(node(ranks.item(i), s));
    if (has_root(c.collective)) {
      c.root = value.member("root").index(c.ranks.size(), "an index into ranks");
    } else if (value.has("root")) {
      value.member("root").refuse("{} has no root; leave it out", collective_name(c.collective));
    }
    c.count = value.member("count").integer(1, kMostTextElements, "a number of elements");
    c.from = buffer(value.member("from"));
    c.to = buffer(value.member("to"));
    if (c.collective == Collective::stencil || value.has("margin") || value.has("terms") || value.has("steps") ||
        value.has("sources") || value.has("receivers")) {
      stencil(c, value);
    } else if (c.collective == Collective::neighbours || value.has("neighbours") || value.has("columns")) {
      neighbours(c, value);
    }
    if (value.has("blocks")) blocks(c, value.member("blocks"));
    if (value.has("root_in_place")) in_place(c, c.root_in_place, value.member("root_in_place"));
    if (value.has("others_in_place")) in_place(c, c.others_in_place, value.member("others_in_place"));
    return c;
  }

  static void blocks(Contract& c, const JsonValue& list) {
    if (list.size() == 0) list.refuse("names no block; list one for each rank, or leave it out to cut evenly");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue block = pair(list, i, "[first, count]");
      c.blocks.push_back({elements(block.item(0)), elements(block.item(1))});
    }
    if (const auto problem = shape_problem(c)) list.refuse("the contract {}", *problem);
  }

  static void in_place(const Contract& c, bool& who, const JsonValue& value) {
    who = value.boolean();
    if (const auto problem = shape_problem(c)) value.refuse("the contract {}", *problem);
  }

  static void neighbours(Contract& c, const JsonValue& value) {
    constexpr std::size_t kMostNeighbours = 4096;  // times kMostTextElements: still a number of 64 bits
    const JsonValue list = value.member("neighbours");
    if (list.size() > kMostNeighbours)
      list.refuse("{} neighbours are too many; use at most {}", list.size(), kMostNeighbours);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue offset = pair(list, i, "[dx, dy]");
      const auto read = [&](std::size_t at) {
        return static_cast<std::int32_t>(offset.item(at).integer(-kMostTextNodes, kMostTextNodes, "an offset"));
      };
      c.neighbours.push_back({read(0), read(1)});
    }
    columns(c, value);
  }

  static void stencil(Contract& c, const JsonValue& value) {
    if (value.has("neighbours")) value.member("neighbours").refuse("a stencil has terms; leave neighbours out");
    columns(c, value);
    c.margin = value.member("margin").integer(0, kMostTextElements, "a number of elements");
    if (value.has("steps")) c.steps = value.member("steps").integer(1, kMostTextElements, "a number of time steps");
    const JsonValue list = value.member("terms");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      item.require_keys({"of", "offset", "times", "array"});
      const JsonValue offset = item.member("offset");
      if (offset.size() != 3) offset.refuse("a list of {} is not [dx, dy, dz]", offset.size());
      const auto read = [&](std::size_t at, std::int64_t most) {
        return offset.item(at).integer(-most, most, "an offset");
      };
      StencilTerm term{.buffer = buffer(item.member("of")),
                       .dx = static_cast<std::int32_t>(read(0, kMostTextNodes)),
                       .dy = static_cast<std::int32_t>(read(1, kMostTextNodes)),
                       .dz = read(2, kMostTextElements)};
      if (item.has("times")) term.coefficient = item.member("times").string();
      if (item.has("array")) term.array = item.member("array").string();
      for (const std::string* name : {&term.coefficient, &term.array}) {
        if (!name->empty() && !is_coefficient_name(*name))
          item.refuse("'{}' is not the name of a coefficient", one_line(*name, 40));
      }
      c.terms.push_back(std::move(term));
    }
    if (value.has("sources")) c.sources = points(c, value.member("sources"));
    if (value.has("receivers")) c.receivers = points(c, value.member("receivers"));
    if (const auto problem = shape_problem(c)) value.refuse("the contract {}", *problem);
  }

  static std::vector<StencilPoints> points(const Contract& c, const JsonValue& list) {
    std::vector<StencilPoints> points;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      item.require_keys({"rank", "elements", "first"});
      const JsonValue range = item.member("elements");
      if (range.size() != 2) range.refuse("a list of {} is not [first, count]", range.size());
      points.push_back({.rank = item.member("rank").index(c.ranks.size(), "an index into ranks"),
                        .elements = {elements(range.item(0)), elements(range.item(1))},
                        .first = elements(item.member("first"))});
    }
    return points;
  }

  static void columns(Contract& c, const JsonValue& value) {
    const JsonValue columns = value.member("columns");
    c.columns = static_cast<std::int32_t>(
        columns.integer(1, static_cast<std::int64_t>(c.ranks.size()), "a width of the group"));
    if (c.ranks.size() % static_cast<std::size_t>(c.columns) != 0) {
      columns.refuse("{} ranks do not fill rows of {}", c.ranks.size(), c.columns);
    }
  }

  static void streams(Schedule& s, const JsonValue& value) {
    const JsonValue list = value.member("streams");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      item.require_keys({"from", "to", "span", "route"});
      Stream stream;
      stream.source = node(item.member("from"), s);
      const JsonValue to = item.member("to");
      if (to.size() == 0) to.refuse("a stream needs at least one sink");
      stream.sinks = append(s.sinks, to, [&](const JsonValue& sink) { return node(sink, s); });
      stream.elements = span_id(item.member("span"), s);
      if (item.has("route")) stream.route = route(s, item);
      s.streams.push_back(stream);
    }
  }

  static std::int32_t route(Schedule& s, const JsonValue& stream) {
    const JsonValue list = stream.member("route");
    std::vector<Hop> hops;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue hop = pair(list, i, "[from, to]");
      hops.push_back({node(hop.item(0), s), node(hop.item(1), s)});
    }
    s.routes.push_back(std::move(hops));
    return static_cast<std::int32_t>(s.routes.size()) - 1;
  }

  static SpanId span_id(const JsonValue& value, const Schedule& s) { return value.index(s.spans.size(), "a span"); }

  /// Reads a list to the end of a pool.
  template <class T, class Read>
  static Slice append(std::vector<T>& pool, const JsonValue& list, const Read& read) {
    const Slice slice{static_cast<std::int32_t>(pool.size()), static_cast<std::int32_t>(list.size())};
    for (std::size_t i = 0; i < list.size(); ++i) pool.push_back(read(list.item(i)));
    return slice;
  }

  /// Lanes first, then their steps: a step may wait for one of a later lane.
  static void lanes(Schedule& s, const JsonValue& value) {
    const JsonValue list = value.member("lanes");
    StepId first = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      item.require_keys({"node", "steps"});
      const JsonValue at = item.member("node");
      const JsonValue steps = item.member("steps");
      const Lane lane{node(at, s), first, static_cast<std::int32_t>(steps.size())};
      if (lane.count == 0) steps.refuse("a lane needs at least one step");
      if (i > 0 && lane.node < s.lanes.back().node)
        at.refuse("node {} after node {}; list lanes by node", lane.node, s.lanes.back().node);
      s.lanes.push_back(lane);
      ++s.first_lane[static_cast<std::size_t>(lane.node) + 1];
      first += lane.count;
    }
    std::partial_sum(s.first_lane.begin(), s.first_lane.end(), s.first_lane.begin());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      const JsonValue steps = item.member("steps");
      for (std::size_t k = 0; k < steps.size(); ++k) s.steps.push_back(step(s, s.lanes[i].node, steps.item(k)));
    }
  }

  static Step step(Schedule& s, NodeId at, const JsonValue& value) {
    value.require_keys({"span", "operands", "own", "store", "send_old", "push", "after"});
    Step step;
    step.elements = span_id(value.member("span"), s);
    const auto stream = [&](const JsonValue& id) { return id.index(s.streams.size(), "a stream"); };
    const JsonValue operands = value.member("operands");
    step.operands = {static_cast<std::int32_t>(s.operands.size()), static_cast<std::int32_t>(operands.size())};
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const JsonValue item = operands.item(i);
      std::int32_t factor = kOne;
      s.operands.push_back(multiplied(s, item, factor));
      if (factor != kOne || !s.factors.empty()) {
        s.factors.resize(s.operands.size(), kOne);
        s.factors.back() = factor;
      }
    }
    read_buffer(s, value, "own", step.elements, step.own, step.own_elements);
    read_buffer(s, value, "store", step.elements, step.store, step.store_elements);
    read_buffer(s, value, "send_old", step.elements, step.sent, step.sent_elements);
    step.outputs.first = static_cast<std::int32_t>(s.outputs.size());
    step.waits.first = static_cast<std::int32_t>(s.waits.size());
    if (value.has("push")) step.outputs = append(s.outputs, value.member("push"), stream);
    if (value.has("after")) {
      step.waits = append(s.waits, value.member("after"), [&](const JsonValue& wait) { return awaited(s, at, wait); });
    }
    return step;
  }

  /// An operand, perhaps with a factor.
  static StreamId multiplied(const Schedule& s, const JsonValue& value, std::int32_t& factor) {
    if (!value.is_object() || !value.has("times")) return operand(s, value);
    value.require_keys({"times", "of"});
    const JsonValue name = value.member("times");
    factor = coefficient(s, name);
    const JsonValue of = value.member("of");
    return operand(s, of);
  }

  static StreamId operand(const Schedule& s, const JsonValue& value) {
    if (value.is_object()) {
      value.require_keys({"term"});
      return term_operand(value.member("term").index(s.terms.size(), "a term"));
    }
    if (!value.is_string()) return value.index(s.streams.size(), "a stream");
    if (value.string() != "own")
      value.refuse("{} is not an operand; use 'own' or the number of a stream", value.text());
    return kOwn;
  }

  /// A buffer, or [buffer, span].
  static void read_buffer(const Schedule& s, const JsonValue& step, const char* key, SpanId of_step, Buffer& to,
                          SpanId& span) {
    span = of_step;
    if (!step.has(key)) return;
    const JsonValue value = step.member(key);
    if (value.is_string()) {
      to = buffer(value);
      return;
    }
    if (value.size() != 2) value.refuse("a list of {} is not [buffer, span]", value.size());
    to = buffer(value.item(0), true);
    span = span_id(value.item(1), s);
  }

  /// [lane, step] of node `at`, or [node, lane, step].
  static StepId awaited(const Schedule& s, NodeId at, const JsonValue& value) {
    const std::size_t size = value.size();
    if (size != 2 && size != 3) value.refuse("a list of {} is not [lane, step] or [node, lane, step]", size);
    if (size == 3) at = node(value.item(0), s);
    const auto lanes = s.lanes_of(at);
    const auto lane = static_cast<std::size_t>(value.item(size - 2).index(lanes.size(), "a lane of the node"));
    return lanes[lane].first + value.item(size - 1).index(lanes[lane].count, "a step of the lane");
  }

  void parts(Schedule& s, const JsonValue& value) {
    const JsonValue list = value.member("parts");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue part = list.item(i);
      part.require_keys({"nodes", "extent", "contracts", "spans", "coefficients", "terms", "streams", "lanes", "parts",
                         "group_sets", "phases", "repeat"});
      s.parts.push_back(schedule(part));
    }
  }

  static void phases(Schedule& s, const JsonValue& value) {
    const JsonValue list = value.member("phases");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      item.require_keys({"part", "groups", "offset", "input", "output", "after"});
      Phase phase;
      phase.part = item.member("part").index(s.parts.size(), "a part");
      phase.input = buffer(item.member("input"));
      phase.output = buffer(item.member("output"));
      append(phase.after, item.member("after"),
             [&](const JsonValue& earlier) { return earlier.index(i, "an earlier phase"); });
      phase.groups = groups(s, item.member("groups"));
      if (item.has("offset")) phase.offset = item.member("offset").integer(0, kMostTextElements, "an offset");
      s.phases.push_back(std::move(phase));
    }
  }

  static void group_sets(Schedule& s, const JsonValue& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      s.group_sets.push_back(group_set(s, item));
    }
  }

  /// The number of a group set, or one that is listed where it is used, if that is once.
  static std::int32_t groups(Schedule& s, const JsonValue& value) {
    if (!value.is_list()) return value.index(s.group_sets.size(), "a group set");
    s.group_sets.push_back(group_set(s, value));
    return static_cast<std::int32_t>(s.group_sets.size()) - 1;
  }

  static std::vector<Group> group_set(const Schedule& s, const JsonValue& list) {
    std::vector<Group> groups;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue item = list.item(i);
      item.require_keys({"members", "on"});
      Group group;
      append(group.members, item.member("members"), [&](const JsonValue& member) { return node(member, s); });
      group.on = span_id(item.member("on"), s);
      groups.push_back(std::move(group));
    }
    return groups;
  }

  std::int64_t nodes_ = 0;  // of all schedules read so far
};

}  // namespace

Schedule parse_schedule(std::string_view text, const std::string& file) {
  const JsonNode document = parse_json(text, file);
  return Parser().document(JsonValue(document, file));
}

}  // namespace muster
