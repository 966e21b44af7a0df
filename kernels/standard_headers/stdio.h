#pragma once  // NVRTC itself has printf
