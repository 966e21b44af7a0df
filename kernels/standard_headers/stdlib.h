#pragma once  // NVRTC itself has abs, malloc and free
#include <cstddef>
