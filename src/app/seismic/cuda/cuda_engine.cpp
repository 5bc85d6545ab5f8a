#include "app/seismic/cuda/cuda_engine.h"

#include <utility>

#include "app/seismic/cuda/finite.h"
#include "app/seismic/cuda/surroundings.h"

namespace muster::seismic {
namespace {

std::size_t at(int field) { return static_cast<std::size_t>(field); }

DeviceArray<float> copy_of(const Volume<float>& volume) { return {volume.data(), volume.values().size()}; }
DeviceArray<float> copy_of(const Array<float>& array) { return {array.data(), array.values().size()}; }

}  // namespace

CudaEngine::CudaEngine(Description equation, const PerAxis<Sides>& sides, State<float> state,
                       std::unique_ptr<Kernels<float>> kernels)
    : equation_(std::move(equation)), sides_(sides), state_(std::move(state)), kernels_(std::move(kernels)) {
  allocate();
  place_profiles();
}

void CudaEngine::allocate() {
  view_ = state_.view();
  const std::int64_t first_cell = state_.layout.offset(0, 0, 0);
  for (std::size_t i = 0; i < state_.fields.size(); ++i) {
    fields_.push_back(copy_of(state_.fields[i]));
    before_.push_back(copy_of(state_.before[i]));
  }
  for (std::size_t i = 0; i < state_.parameters.size(); ++i) {
    parameters_.push_back(copy_of(state_.parameters[i]));
    view_.parameters[i] = parameters_.back().data() + first_cell;
  }
  for (std::size_t i = 0; i < state_.memory.size(); ++i) {
    memory_.push_back({.psi = copy_of(state_.memory[i].psi), .zeta = copy_of(state_.memory[i].zeta)});
    view_.psi[i] = memory_.back().psi.data();
    view_.zeta[i] = memory_.back().zeta.data();
  }
}

const float* CudaEngine::keep(const std::vector<float>& values) {
  return profiles_.emplace_back(values.data(), values.size()).data();
}

void CudaEngine::place_profiles() {
  for (const Axis axis : kAxes) {
    const AxisProfiles<float>& profiles = state_.layers.profiles[axis];
    for (const std::size_t half : {0U, 1U}) {
      view_.axes[axis].a[half] = keep(profiles.a[half]);
      view_.axes[axis].b[half] = keep(profiles.b[half]);
      view_.axes[axis].cross[half] = keep(profiles.cross[half]);
      view_.axes[axis].damping[half] = keep(profiles.damping[half]);
    }
  }
}

View<float> CudaEngine::device_view() {
  const std::int64_t first_cell = state_.layout.offset(0, 0, 0);
  View<float> view = view_;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    view.fields[i] = fields_[i].data() + first_cell;
    view.before[i] = before_[i].size() == 0 ? nullptr : before_[i].data() + first_cell;
  }
  return view;
}

void CudaEngine::run(std::size_t phase) {
  const PhaseDescription& description = equation_.phases[phase];
  const View<float> view = device_view();
  for (const Read& read : description.reads) {
    fill_halo_on_device(view.fields[read.field], state_.layout, equation_.fields[at(read.field)], read, sides_);
  }
  const Box box = whole(state_.layout.extent());
  if (description.has_second) kernels_->update_memory(view, phase, box);
  kernels_->update(view, phase, box);
  for (const int field : description.writes) {
    if (equation_.fields[at(field)].time_order == 2) std::swap(fields_[at(field)], before_[at(field)]);
  }
  settle_mirrors_on_device(device_view(), state_.layout, equation_, description.writes, sides_);
  is_host_current_ = false;
}

std::size_t CudaEngine::add(Points points) {
  points_.emplace_back(points, state_.layout);
  return points_.size() - 1;
}

void CudaEngine::inject(std::size_t points, std::span<const double> amplitudes) {
  points_[points].inject(fields_[at(points_[points].field())].data(), amplitudes);
  is_host_current_ = false;
}

void CudaEngine::gather(std::size_t points, std::span<double> values) {
  points_[points].gather(fields_[at(points_[points].field())].data(), values);
}

State<float>& CudaEngine::state() {
  if (is_host_current_) return state_;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    fields_[i].download(state_.fields[i].data());
    before_[i].download(state_.before[i].data());
  }
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    memory_[i].psi.download(state_.memory[i].psi.data());
    memory_[i].zeta.download(state_.memory[i].zeta.data());
  }
  is_host_current_ = true;
  return state_;
}

void CudaEngine::upload() {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    fields_[i].upload(state_.fields[i].data());
    before_[i].upload(state_.before[i].data());
  }
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    memory_[i].psi.upload(state_.memory[i].psi.data());
    memory_[i].zeta.upload(state_.memory[i].zeta.data());
  }
  is_host_current_ = true;
}

std::optional<NotFinite> CudaEngine::first_not_finite() {
  const Extent& extent = state_.layout.extent();
  const View<float> view = device_view();
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const std::int64_t number = first_not_finite_on_device(view.fields[i], state_.layout, found_);
    if (number < 0) continue;
    const Extent cell{number / (extent.y * extent.z), number / extent.z % extent.y, number % extent.z};
    float value = 0;
    copy_from_device(&value, fields_[i].data() + state_.layout.offset(cell.x, cell.y, cell.z), sizeof value);
    return NotFinite{.field = static_cast<int>(i), .cell = cell, .value = static_cast<double>(value)};
  }
  return std::nullopt;
}

}  // namespace muster::seismic
