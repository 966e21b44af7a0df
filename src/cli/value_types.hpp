#pragma once

/// The types of the options' values. --help and the manual pages show these names; completion
/// chooses its suggestions by them (completion.cpp).
namespace gtune::value_type {

inline constexpr const char* architecture = "ARCH";
inline constexpr const char* budget = "BUDGET";
inline constexpr const char* earlier_source = "REF|FOLDER";
inline constexpr const char* chip = "CHIP";
inline constexpr const char* command = "COMMAND";
inline constexpr const char* configuration = "CONFIG";   // P=V,P=V,... of every parameter
inline constexpr const char* definition = "NAME=VALUE";  // of a macro; NAME alone is 1
inline constexpr const char* measured = "NAME|P=V,...";  // best, a baseline, some parameters
inline constexpr const char* device_index = "INDEX";
inline constexpr const char* device_name = "DEVICE";  // as stored
inline constexpr const char* devices = "DEVICES";     // what --device of a tuning run takes
inline constexpr const char* entry = "KERNEL-NAME";   // of a CUDA source
inline constexpr const char* expression = "EXPRESSION";
inline constexpr const char* file = "FILE";
inline constexpr const char* folder = "FOLDER";
inline constexpr const char* format = "FORMAT";
inline constexpr const char* kernel = "KERNEL";
inline constexpr const char* metrics = "METRIC,...";
inline constexpr const char* narrowing = "P=V,V";
inline constexpr const char* number = "N";
inline constexpr const char* objective = "OBJECTIVE";
inline constexpr const char* parameter = "PARAMETER";
inline constexpr const char* parameter_pair = "P,Q";
inline constexpr const char* plot_axes = "X,Y[,GROUP]";
inline constexpr const char* seconds = "SECONDS";
inline constexpr const char* shard = "I/N";
inline constexpr const char* share = "SHARE";
inline constexpr const char* shell = "SHELL";
inline constexpr const char* sizes = "SIZES";
inline constexpr const char* sizes_list = "NAME=VALUE,...";
inline constexpr const char* source_file = "FILE.cu";
inline constexpr const char* spec_file = "FILE.toml";
inline constexpr const char* standard = "STANDARD";
inline constexpr const char* stored_kernel = "NAME";
inline constexpr const char* strategy = "STRATEGY";
inline constexpr const char* strategies = "STRATEGY,...";
inline constexpr const char* timing = "MODE";
inline constexpr const char* variant = "VARIANT";

}  // namespace gtune::value_type

/// The headings of options in --help; the default is "Options".
namespace gtune::option_group {

inline constexpr const char* sizes = "Problem sizes (1024,4096 or 512:4096:512 or 512:8192:*2)";
inline constexpr const char* variants = "Variants";
inline constexpr const char* search = "Search";
inline constexpr const char* device = "Devices";
inline constexpr const char* measuring = "Measuring";
inline constexpr const char* output = "Output";
inline constexpr const char* other = "Options";  // CLI11's own

}  // namespace gtune::option_group
