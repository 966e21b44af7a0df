#pragma once  // NVRTC itself has memcpy and memset
#include <cstddef>
