// The memory of a GPU, as plain C++ sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace muster::seismic {

/// What CUDA refused to do: not the user's fault.
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DeviceInfo {
  std::string name;
  std::int64_t free_bytes = 0;
};

/// Whether there is a GPU of at least compute capability 9.0; `reason` says why not.
bool find_device(DeviceInfo& info, std::string& reason);

/// Throws InputError: so many bytes more are needed than are free.
[[noreturn]] void refuse_for_memory(std::int64_t bytes);

/// Throws InputError if there is not enough memory.
void* allocate_on_device(std::size_t bytes);
void free_on_device(void* data) noexcept;
void copy_to_device(void* to, const void* from, std::size_t bytes);
void copy_from_device(void* to, const void* from, std::size_t bytes);
/// Until everything that this thread has launched is done. Each thread of the host has a stream of its own.
void wait_for_device();

/// Values in the memory of the device.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size)
      : size_(size), data_(size == 0 ? nullptr : static_cast<T*>(allocate_on_device(size * sizeof(T)))) {}
  DeviceArray(const T* values, std::size_t size) : DeviceArray(size) { upload(values); }
  DeviceArray(DeviceArray&& other) noexcept
      : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~DeviceArray() { free_on_device(data_); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void upload(const T* values) {
    if (size_ > 0) copy_to_device(data_, values, size_ * sizeof(T));
  }
  void download(T* values) const {
    if (size_ > 0) copy_from_device(values, data_, size_ * sizeof(T));
  }

 private:
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

}  // namespace muster::seismic
