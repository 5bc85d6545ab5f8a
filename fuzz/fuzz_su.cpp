// Any bytes are a gather or a cube in SU, or are refused with an InputError.
#include "seismic_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::seismic::fuzz_format(muster::seismic::su_codec(), data, size);
  return 0;
}
