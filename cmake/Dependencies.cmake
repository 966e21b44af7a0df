# Every C++ dependency is linked statically or header-only, so that the binary runs elsewhere.
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(CUDAToolkit 12.8 REQUIRED)

# Interface libraries whose headers are not ours: included as system headers, no warnings.
function(gtune_external name)
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE ${ARGN})
endfunction()

gtune_external(gtune_json nlohmann_json::nlohmann_json)
gtune_external(gtune_cli11 CLI11::CLI11)
# Not through spdlog's target: it brings the shared fmt along.
gtune_external(gtune_log fmt::fmt-header-only)
target_compile_definitions(gtune_log INTERFACE SPDLOG_FMT_EXTERNAL)

find_path(GTUNE_TOMLPP_INCLUDE toml++/toml.h REQUIRED)
gtune_external(gtune_toml)
target_include_directories(gtune_toml SYSTEM INTERFACE ${GTUNE_TOMLPP_INCLUDE})

find_library(GTUNE_SQLITECPP libSQLiteCpp.a REQUIRED)
find_library(GTUNE_SQLITE3 libsqlite3.a REQUIRED)
find_path(GTUNE_SQLITECPP_INCLUDE SQLiteCpp/SQLiteCpp.h REQUIRED)
gtune_external(gtune_sqlite ${GTUNE_SQLITECPP} ${GTUNE_SQLITE3} Threads::Threads m ${CMAKE_DL_LIBS})
target_include_directories(gtune_sqlite SYSTEM INTERFACE ${GTUNE_SQLITECPP_INCLUDE})

find_library(GTUNE_ZLIB libz.a REQUIRED)
find_path(GTUNE_ZLIB_INCLUDE zlib.h REQUIRED)
gtune_external(gtune_zlib ${GTUNE_ZLIB})
target_include_directories(gtune_zlib SYSTEM INTERFACE ${GTUNE_ZLIB_INCLUDE})

# Headers only: NVRTC and NVML are opened at run time, so that the program starts
# without them.
gtune_external(gtune_cuda ${CMAKE_DL_LIBS})
target_include_directories(gtune_cuda SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
# CUPTI likewise; some installers put its headers into a folder of their own.
find_path(GTUNE_CUPTI_INCLUDE cupti_profiler_host.h
          HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include REQUIRED)
gtune_external(gtune_cupti gtune_cuda)
target_include_directories(gtune_cupti SYSTEM INTERFACE ${GTUNE_CUPTI_INCLUDE})
gtune_external(gtune_cudart CUDA::cudart_static rt)
