// Descriptors: what a vector instruction reads or writes.
#include <array>

#include "backend/wafer/csl_reader/evaluator.h"

namespace muster::wafer::csl {

namespace {

// The types of a descriptor's settings, as the vendor documents them ("Data Structure Descriptors").
constexpr std::int64_t kMostExtent = 65535;    // u16
constexpr std::int64_t kLeastOffset = -32768;  // i16
constexpr std::int64_t kMostOffset = 32767;
constexpr std::int64_t kLeastStride = -128;  // i8
constexpr std::int64_t kMostStride = 127;

/// The settings of a descriptor, each looked at once; a setting that was not asked for is an error.
class Settings {
 public:
  Settings(const Value& value, const Location& location) : location_(location) {
    if (!value.is(ValueKind::structure) || object_of<Record>(value).names == nullptr) {
      fail(location, "@get_dsd: expected settings as .{{ .name = value }}, found {}", describe(value));
    }
    record_ = &object_of<Record>(value);
    seen_.resize(record_->values.size(), false);
  }
  const Value* find(std::string_view name) {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if ((*record_->names)[i] != name) continue;
      seen_[i] = true;
      return &record_->values[i];
    }
    return nullptr;
  }
  std::int64_t number(std::string_view name, std::int64_t otherwise, std::int64_t least, std::int64_t most) {
    const Value* value = find(name);
    return value == nullptr ? otherwise : integer_in(*value, least, most, name, location_);
  }
  bool flag(std::string_view name) {
    const Value* value = find(name);
    if (value != nullptr && !value->is(ValueKind::boolean)) fail(location_, "{}: expected a bool", name);
    return value != nullptr && value->truth();
  }
  std::int64_t id(std::string_view name, ValueKind kind) {
    const Value* value = find(name);
    if (value == nullptr) return -1;
    if (value->kind != kind) fail(location_, "{}: {} is not one", name, describe(*value));
    return value->number;
  }
  void finish() const {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (!seen_[i]) fail(location_, "@get_dsd: the setting '{}' is not supported", (*record_->names)[i]);
    }
  }

 private:
  const Record* record_ = nullptr;
  std::vector<bool> seen_;
  const Location& location_;
};

void read_memory(Descriptor& descriptor, Settings& settings, const Location& location) {
  if (const Value* access = settings.find("tensor_access")) {
    if (!access->is(ValueKind::access)) fail(location, "tensor_access: expected |i|{{n}} -> a[i]");
    descriptor.walk = object_of<Access>(*access).walk;
    return;
  }
  const Value* base = settings.find("base_address");
  if (base == nullptr || !base->is(ValueKind::pointer)) {
    fail(location, "a mem1d_dsd needs tensor_access, or base_address with a pointer to an array");
  }
  descriptor.walk.variable = object_of<PointerTo>(*base).variable;
  descriptor.walk.extent = settings.number("extent", 0, 1, kMostExtent);
  if (descriptor.walk.extent == 0) fail(location, "a mem1d_dsd with base_address needs an extent");
  descriptor.walk.stride = settings.number("stride", 1, kLeastStride, kMostStride);
  descriptor.walk.first = settings.number("offset", 0, kLeastOffset, kMostOffset);
}

void read_fabric(Descriptor& descriptor, Settings& settings, const Location& location) {
  const bool in = descriptor.kind == DescriptorKind::fabric_in;
  descriptor.walk.extent = settings.number("extent", 0, 1, kMostExtent);
  if (descriptor.walk.extent == 0) fail(location, "a fabric descriptor needs an extent");
  descriptor.color = settings.id("fabric_color", ValueKind::color);
  descriptor.queue =
      in ? settings.id("input_queue", ValueKind::input_queue) : settings.id("output_queue", ValueKind::output_queue);
  settings.find("priority");
  if (const Value* mode = settings.find("simd_mode")) {
    const bool is_struct = mode->is(ValueKind::structure);
    const Value* packed = is_struct ? object_of<Record>(*mode).find("simd_32") : nullptr;
    descriptor.packs_two = packed != nullptr && packed->is(ValueKind::boolean) && packed->truth();
    if (!descriptor.packs_two) fail(location, "simd_mode: only .{{ .simd_32 = true }} is supported");
  }
  if (in) return;
  descriptor.control = settings.flag("control");
  descriptor.advance_switch = settings.flag("advance_switch");
}

}  // namespace

Value make_descriptor(const Value& kind, const Value& settings, const Location& location) {
  if (!kind.is(ValueKind::type) || object_of<Type>(kind).kind != TypeKind::descriptor) {
    fail(location, "@get_dsd: expected a type of descriptors, found {}", describe(kind));
  }
  const std::string& name = object_of<Type>(kind).name;
  auto descriptor = std::make_shared<Descriptor>();
  descriptor->location = location;
  Settings given(settings, location);
  if (name == "mem1d_dsd") {
    read_memory(*descriptor, given, location);
  } else if (name == "fabin_dsd" || name == "fabout_dsd") {
    descriptor->kind = name == "fabin_dsd" ? DescriptorKind::fabric_in : DescriptorKind::fabric_out;
    read_fabric(*descriptor, given, location);
  } else {
    fail(location, "@get_dsd: {} is not supported; use mem1d_dsd, fabin_dsd or fabout_dsd", name);
  }
  given.finish();
  return object_value(ValueKind::descriptor, std::move(descriptor));
}

Value change_descriptor(Builtin builtin, std::span<const Value> arguments, const Location& location) {
  Value changed = arguments[0];
  if (!changed.is(ValueKind::descriptor)) fail(location, "expected a descriptor, found {}", describe(changed));
  auto& descriptor = own_object<Descriptor>(changed);
  const bool memory = descriptor.kind == DescriptorKind::memory;
  if (!memory && builtin != Builtin::set_dsd_length) fail(location, "only descriptors of memory can be moved");
  switch (builtin) {
    case Builtin::set_dsd_length:
      descriptor.walk.extent = integer_in(arguments[1], 1, kMostExtent, "@set_dsd_length", location);
      break;
    case Builtin::set_dsd_stride:
      descriptor.walk.stride = integer_in(arguments[1], kLeastStride, kMostStride, "@set_dsd_stride", location);
      break;
    case Builtin::increment_dsd_offset:
      descriptor.walk.first += integer_in(arguments[1], kLeastOffset, kMostOffset, "@increment_dsd_offset", location);
      if (descriptor.walk.first < -kMostExtent || descriptor.walk.first > kMostExtent) {
        fail(location, "the offset {} leaves the memory", descriptor.walk.first);
      }
      break;
    default:
      if (!arguments[1].is(ValueKind::pointer)) fail(location, "@set_dsd_base_addr: expected a pointer");
      descriptor.walk.variable = object_of<PointerTo>(arguments[1]).variable;
      descriptor.walk.first = 0;
      break;
  }
  return changed;
}

}  // namespace muster::wafer::csl
