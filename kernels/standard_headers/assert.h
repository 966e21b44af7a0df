#pragma once  // NVRTC itself has assert
