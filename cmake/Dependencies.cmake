# gtune's dependencies, found as CMake packages. The binary runs on machines without them, because C++
# libraries are used as headers or archives. If a distribution has no archive, its shared library is linked.
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CUDAToolkit 12.8 REQUIRED)

# CMake's own modules take the first suffix that they find. SQLiteCpp's package looks for SQLite3 itself, so it is
# found here as well.
set(gtune_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES ${CMAKE_STATIC_LIBRARY_SUFFIX})
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(ZLIB REQUIRED)
set(CMAKE_FIND_LIBRARY_SUFFIXES ${gtune_suffixes})

# Interface libraries whose headers are not ours: included as system headers, no warnings.
function(gtune_external name)
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE ${ARGN})
endfunction()

# The same with only the headers of a package's target, without the shared library that Debian's packages of
# spdlog's fmt and of toml++ would link.
function(gtune_headers_of name target)
  target_include_directories(${name} SYSTEM INTERFACE
    $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
endfunction()

gtune_external(gtune_json nlohmann_json::nlohmann_json)
gtune_external(gtune_cli11 CLI11::CLI11)
if(GTUNE_HEADER_ONLY)
  gtune_external(gtune_log fmt::fmt-header-only)
  gtune_headers_of(gtune_log spdlog::spdlog_header_only)
  target_compile_definitions(gtune_log INTERFACE SPDLOG_FMT_EXTERNAL)
else()
  gtune_external(gtune_log fmt::fmt spdlog::spdlog)
endif()
gtune_external(gtune_toml)
gtune_headers_of(gtune_toml tomlplusplus::tomlplusplus)
gtune_external(gtune_sqlite SQLiteCpp SQLite::SQLite3 Threads::Threads m ${CMAKE_DL_LIBS})
gtune_external(gtune_zlib ZLIB::ZLIB)

# Headers only: NVRTC and NVML are opened at run time, so the program starts without them.
gtune_external(gtune_cuda ${CMAKE_DL_LIBS})
target_include_directories(gtune_cuda SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
# CUPTI likewise; some installers put its headers into a folder of their own.
find_path(GTUNE_CUPTI_INCLUDE cupti_profiler_host.h
          HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include REQUIRED)
gtune_external(gtune_cupti gtune_cuda)
target_include_directories(gtune_cupti SYSTEM INTERFACE ${GTUNE_CUPTI_INCLUDE})
gtune_external(gtune_cudart CUDA::cudart_static rt)
