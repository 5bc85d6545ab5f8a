// The layout block as a host sees it. Configurations are read once per struct, not once per processor: a full wafer has
// hundreds of thousands of them.
#include "backend/wafer/csl_reader/layout.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "base/index.h"
#include "base/one_line.h"
#include "machine/mesh.h"

namespace muster::wafer::csl {

namespace {

constexpr std::int64_t kMostColor = 63;

class LayoutHost : public Host {
 public:
  explicit LayoutHost(const Limits& limits) : limits_(limits) {}

  Value builtin(Evaluator& evaluator, Instance& /*instance*/, const Node& call,
                std::span<const Value> arguments) override {
    switch (static_cast<Builtin>(call.slot)) {
      case Builtin::set_rectangle:
        set_rectangle(call, arguments);
        return nothing_value();
      case Builtin::get_rectangle:
        return rectangle(call);
      case Builtin::set_tile_code:
        set_tile_code(call, arguments);
        evaluator.budget().allow(limits_.steps_per_tile);
        return nothing_value();
      case Builtin::set_color_config:
        set_color_config(call, arguments);
        return nothing_value();
      case Builtin::export_name:
        export_name(call, arguments);
        return nothing_value();
      default:
        fail(call.location, "{} has no meaning in a layout", call.name);
    }
  }

  /// What the vendor's modules compute for their own use is of no interest here.
  Value library(Evaluator& /*evaluator*/, const Node& call, const std::string& path,
                std::span<const Value> /*arguments*/) override {
    if (path.size() > 1000) fail(call.location, "calls of the vendor's modules are nested too deep");
    return library_value(path + "()");
  }

  TileLayout take(const Location& location) {
    if (layout_.code_of.empty()) fail(location, "the layout sets no rectangle");
    const auto missing = std::find(layout_.code_of.begin(), layout_.code_of.end(), -1);
    if (missing != layout_.code_of.end()) {
      const auto tile = missing - layout_.code_of.begin();
      fail(location, "PE ({},{}) has no code", tile % layout_.width, tile / layout_.width);
    }
    return std::move(layout_);
  }

 private:
  void set_rectangle(const Node& call, std::span<const Value> arguments) {
    if (!layout_.code_of.empty()) fail(call.location, "the rectangle is set twice");
    const std::int64_t width = integer_in(arguments[0], 1, limits_.tiles, "the width", call.location);
    const std::int64_t height = integer_in(arguments[1], 1, limits_.tiles, "the height", call.location);
    if (width * height > limits_.tiles) {
      fail(call.location, "a rectangle of {} x {}; at most {} PEs are read", width, height, limits_.tiles);
    }
    layout_.width = static_cast<std::int32_t>(width);
    layout_.height = static_cast<std::int32_t>(height);
    layout_.code_of.assign(at(width * height), -1);
  }

  Value rectangle(const Node& call) const {
    if (layout_.code_of.empty()) fail(call.location, "@get_rectangle before @set_rectangle");
    auto names = std::make_shared<std::vector<std::string>>(std::vector<std::string>{"width", "height"});
    return record_value(std::move(names),
                        {integer_value(layout_.width, 16, false), integer_value(layout_.height, 16, false)});
  }

  std::size_t tile(const Node& call, std::span<const Value> arguments) const {
    if (layout_.code_of.empty()) fail(call.location, "{} before @set_rectangle", call.name);
    const std::int64_t x = integer_in(arguments[0], 0, layout_.width - 1, "x", call.location);
    const std::int64_t y = integer_in(arguments[1], 0, layout_.height - 1, "y", call.location);
    return at(y * layout_.width + x);
  }

  void set_tile_code(const Node& call, std::span<const Value> arguments) {
    const std::size_t where = tile(call, arguments);
    if (layout_.code_of[where] >= 0) fail(call.location, "the PE has code already");
    const std::string file = file_beside(text_of(arguments[2], "@set_tile_code", call.location), call.location);
    const Value parameters = arguments.size() > 3 ? arguments[3] : Value{};
    auto& bucket = codes_[hash_of(parameters)];
    for (const std::int32_t code : bucket) {
      const TileCode& known = layout_.codes[at(code)];
      if (known.file == file && same_value(known.parameters, parameters)) {
        layout_.code_of[where] = code;
        return;
      }
    }
    layout_.code_of[where] = static_cast<std::int32_t>(layout_.codes.size());
    bucket.push_back(layout_.code_of[where]);
    layout_.codes.push_back({file, parameters, call.location});
  }

  void export_name(const Node& call, std::span<const Value> arguments) {
    const std::string& name = text_of(arguments[0], call.name, call.location);
    if (!arguments[1].is(ValueKind::type)) fail(call.location, "expected a type, found {}", describe(arguments[1]));
    ExportedName exported{.type = std::static_pointer_cast<const Type>(arguments[1].object), .location = call.location};
    const TypeKind kind = exported.type->kind;
    if (kind == TypeKind::array || kind == TypeKind::structure || kind == TypeKind::enumeration) {
      fail(call.location, "'{}' is exported as {}, which the host cannot reach; export a pointer", one_line(name),
           to_text(*exported.type));
    }
    if (kind != TypeKind::function && arguments.size() < 3) {
      fail(call.location, "'{}' is exported without saying whether the host may change it; add true or false",
           one_line(name));
    }
    if (arguments.size() == 3) {
      if (!arguments[2].is(ValueKind::boolean))
        fail(call.location, "expected a bool, found {}", describe(arguments[2]));
      exported.is_mutable = arguments[2].truth();
    }
    if (!layout_.exports.emplace(name, std::move(exported)).second) {
      fail(call.location, "the name '{}' is exported twice", one_line(name));
    }
  }

  void set_color_config(const Node& call, std::span<const Value> arguments) {
    const std::size_t where = tile(call, arguments);
    if (!arguments[2].is(ValueKind::color)) fail(call.location, "expected a color, found {}", describe(arguments[2]));
    const auto color = static_cast<int>(std::min(arguments[2].number, kMostColor));
    auto& route_of = layout_.route_of[color];
    if (route_of.empty()) route_of.assign(layout_.code_of.size(), -1);
    layout_.color_locations.try_emplace(color, call.location);
    if (route_of[where] >= 0) fail(call.location, "color {} of the PE is configured twice", color);
    route_of[where] = route_index(arguments[3], call.location);
  }

  std::int16_t route_index(const Value& config, const Location& location) {
    const auto known = known_configs_.find(config.object.get());
    if (known != known_configs_.end()) return known->second;
    const ColorRoute route = read_route(config, location);
    auto found = std::find(layout_.routes.begin(), layout_.routes.end(), route);
    if (found == layout_.routes.end()) {
      if (layout_.routes.size() > 30000) fail(location, "more than 30000 different routes");
      found = layout_.routes.insert(layout_.routes.end(), route);
      layout_.route_locations.push_back(location);
    }
    const auto index = static_cast<std::int16_t>(found - layout_.routes.begin());
    if (known_configs_.size() < 10000) {
      known_configs_.emplace(config.object.get(), index);
      kept_.push_back(config);
    }
    return index;
  }

  const Limits& limits_;
  TileLayout layout_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> codes_;
  std::unordered_map<const Object*, std::int16_t> known_configs_;
  std::vector<Value> kept_;  ///< so that no other struct gets the address of a known one
};

/// A parameter of the command line: an integer, a floating-point number, true or false.
Value parameter_value(const std::string& name, const std::string& text, const Location& location) {
  if (text == "true" || text == "false") return boolean_value(text == "true");
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  if (const auto done = std::from_chars(text.data(), end, number); done.ec == std::errc() && done.ptr == end) {
    return integer_value(number);
  }
  double real = 0;
  if (const auto done = std::from_chars(text.data(), end, real); done.ec == std::errc() && done.ptr == end) {
    return real_value(real);
  }
  fail(location, "the parameter {}:{} of the command line is not a number", one_line(name), one_line(text));
}

/// Whether the file declares a color of this name.
bool is_color(const File& file, const std::string& name) {
  const auto found = file.by_name.find(name);
  const Node* type = found == file.by_name.end() ? nullptr : file.declarations[at(found->second)].type;
  return type != nullptr && type->kind == NodeKind::constant && type->constant.is(ValueKind::type) &&
         object_of<Type>(type->constant).kind == TypeKind::color;
}

/// What the command line gives the layout: a color is given by its number.
Value parameter_struct(const File& file, const std::map<std::string, std::string>& parameters,
                       const Location& location) {
  auto names = std::make_shared<std::vector<std::string>>();
  std::vector<Value> values;
  for (const auto& [name, text] : parameters) {
    names->push_back(name);
    Value value = parameter_value(name, text, location);
    if (is_color(file, name)) {
      const std::string what = fmt::format("the color {}:{} of the command line", one_line(name), one_line(text));
      value = plain_value(ValueKind::color, integer_in(value, 0, kMostColor, what, location));
    }
    values.push_back(std::move(value));
  }
  return record_value(std::move(names), std::move(values));
}

}  // namespace

TileLayout run_layout(Files& files, const std::string& file, const std::map<std::string, std::string>& parameters,
                      const Mesh& mesh) {
  const Location top{.file = &file};
  const File& source = files.get(file, top);
  if (source.layouts.size() != 1) fail(top, "the file has {} layout blocks; it needs one", source.layouts.size());
  LayoutHost host(files.limits());
  Evaluator evaluator(files, mesh, host);
  Instance& instance = evaluator.instantiate(source, parameter_struct(source, parameters, top), top);
  evaluator.evaluate_all(instance);
  evaluator.run(instance, source.layouts.front());
  return host.take(source.layouts.front().body->location);
}

}  // namespace muster::wafer::csl
