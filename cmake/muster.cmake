# What the CMakeLists.txt of the folders call:
#   muster_library(NAME [FAST] [LIGHT ...] DEPS ... PRIVATE_DEPS ... TEST_DEPS ... SUBFOLDERS ... APART ...)
#                               the library of one folder of src/, from all its sources and those of the subfolders, and
#                               one test program from all their *_test.cpp files. FAST: the time of its code matters (-O3).
#                               LIGHT: sources (`text*`, `files/*`) whose time does not matter, such as those that see a
#                               library of templates: -O1 compiles them twice as fast. APART: sources that are in another library
#   muster_bench(NAME DEPS...)  the benchmark NAME from NAME.cpp
add_library(muster_options INTERFACE)
target_compile_features(muster_options INTERFACE cxx_std_20)
target_include_directories(muster_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(
  muster_options INTERFACE $<BUILD_INTERFACE:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers -Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns wrongly about std::string and std::optional temporaries once it optimises, and whether it does can hang on the
  # length of the folder's path: what the optimiser guesses is no error. ASan and UBSan look for the real ones.
  target_compile_options(
    muster_options INTERFACE $<BUILD_INTERFACE:-Wno-restrict -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
                             -Wno-stringop-overread>)
endif()

# Half of the time that a small source takes to compile goes into these headers: they are compiled once. Every source still
# names what it includes (the fuzz preset compiles without them).
function(muster_precompiled TARGET)
  cmake_parse_arguments(ARG "" "" "DEPS;HEADERS" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}.cpp CONTENT "")
  add_library(${TARGET} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}.cpp)
  target_link_libraries(${TARGET} PRIVATE muster_options fmt::fmt ${ARG_DEPS})
  target_precompile_headers(${TARGET} PRIVATE ${ARG_HEADERS})
endfunction()
muster_precompiled(muster_common_headers HEADERS <fmt/format.h> <fmt/ranges.h> <algorithm> <functional> <map> <memory> <optional>
                   <span> <string> <variant> <vector>)

# Where tests and benchmarks find machines/ and tests/. A function and not a macro, so that objects do not depend on the folder.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/source_dir.cpp CONTENT "#include \"base/source_dir.h\"\nstd::string muster::source_dir() { return \"${PROJECT_SOURCE_DIR}\"; }\n")
add_library(muster_source_dir STATIC EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/source_dir.cpp)
target_link_libraries(muster_source_dir PRIVATE muster_options)

if(MUSTER_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
  muster_precompiled(muster_test_headers DEPS GTest::gtest_main rapidcheck HEADERS <gtest/gtest.h> <rapidcheck/gtest.h>
                     <fmt/format.h> <fmt/ranges.h>)
  set(MUSTER_TEST_OPTIONS "" CACHE STRING "Options of the compiler for tests alone")
  target_compile_options(muster_test_headers PRIVATE $<$<CONFIG:Release>:-O1> ${MUSTER_TEST_OPTIONS})
  # A verdict must not depend on luck: properties try the same cases each time. Other cases: -DMUSTER_RC_PARAMS=seed=7, or a
  # test program called by hand, which takes a new seed each time and prints it.
  set(MUSTER_RC_PARAMS "seed=1" CACHE STRING "RC_PARAMS of the properties that ctest runs")
  # Looking for leaks at the end of a process takes seconds on aarch64 (a walk over a table of the whole address space).
  option(MUSTER_WHOLE_TEST_PROGRAMS "ctest runs each test program once, instead of once per test" OFF)
endif()

# Programs with more test sources are started earlier, so that the longest is not the last.
function(muster_register_tests NAME)
  set(environment "RC_PARAMS=${MUSTER_RC_PARAMS}")
  if(MUSTER_WHOLE_TEST_PROGRAMS)
    list(LENGTH ARGN sources)
    add_test(NAME ${NAME} COMMAND ${NAME}_test --gtest_brief=1)
    set_tests_properties(${NAME} PROPERTIES TIMEOUT 1800 ENVIRONMENT "${environment}" COST ${sources})
  else()
    gtest_discover_tests(${NAME}_test TEST_PREFIX ${NAME}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 ENVIRONMENT "${environment}")
  endif()
endfunction()

# Has up to MOST of a target's sources compiled as one, which takes half of the time; tools/unity_groups says which.
function(muster_compile_together TARGET MOST)
  if(MUSTER_UNITY)
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/unity_groups ${MOST} ${sources}
                    OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    foreach(source group IN ZIP_LISTS sources groups)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()

# A target of a folder's sources. OPTIMISATION: an option of the compiler for releases, or nothing.
function(muster_sources TARGET KIND OPTIMISATION)
  add_library(${TARGET} ${KIND} ${ARGN})
  target_precompile_headers(${TARGET} REUSE_FROM muster_common_headers)
  target_compile_options(${TARGET} PRIVATE $<$<CONFIG:Release>:${OPTIMISATION}>)
  muster_compile_together(${TARGET} 8 ${ARGN})
endfunction()

function(muster_library NAME)
  cmake_parse_arguments(ARG "FAST" "" "LIGHT;DEPS;PRIVATE_DEPS;TEST_DEPS;SUBFOLDERS;APART" ${ARGN})
  set(patterns ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(folder ${ARG_SUBFOLDERS})
    list(APPEND patterns ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(ARG_APART)
    list(REMOVE_ITEM sources ${ARG_APART})
  endif()
  if(sources)
    set(links PUBLIC muster_options fmt::fmt ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
    set(light "")
    foreach(pattern ${ARG_LIGHT})
      file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${pattern}.cpp)
      list(FILTER found EXCLUDE REGEX "_test\\.cpp$")
      list(APPEND light ${found})
    endforeach()
    if(light)
      list(REMOVE_ITEM sources ${light})
      muster_sources(muster_${NAME}_light OBJECT -O1 ${light})
      target_link_libraries(muster_${NAME}_light ${links})
      list(APPEND sources $<TARGET_OBJECTS:muster_${NAME}_light>)
    endif()
    muster_sources(muster_${NAME} STATIC "$<$<BOOL:${ARG_FAST}>:-O3>" ${sources})
    target_link_libraries(muster_${NAME} ${links})
  else()
    add_library(muster_${NAME} INTERFACE)
    target_link_libraries(muster_${NAME} INTERFACE muster_options fmt::fmt ${ARG_DEPS})
  endif()
  if(MUSTER_TESTS AND tests)
    add_executable(${NAME}_test ${tests})
    target_link_libraries(${NAME}_test PRIVATE muster_${NAME} ${ARG_PRIVATE_DEPS} ${ARG_TEST_DEPS} muster_source_dir GTest::gtest_main rapidcheck)
    # Most of the time that a test takes to compile goes into its headers and their optimisation.
    target_precompile_headers(${NAME}_test REUSE_FROM muster_test_headers)
    target_compile_options(${NAME}_test PRIVATE $<$<CONFIG:Release>:-O1> ${MUSTER_TEST_OPTIONS})
    muster_compile_together(${NAME}_test 4 ${tests})
    muster_register_tests(${NAME} ${tests})
  endif()
endfunction()

if(MUSTER_BENCH)
  # bench builds all benchmarks, then runs them one after another. They are not part of the default build.
  add_custom_target(bench)
  add_custom_target(bench_programs)
endif()

function(muster_bench NAME)
  add_executable(${NAME} EXCLUDE_FROM_ALL ${NAME}.cpp)
  target_link_libraries(${NAME} PRIVATE ${ARGN} muster_source_dir)
  add_dependencies(bench_programs ${NAME})
  add_custom_target(run_${NAME} COMMAND ${NAME} USES_TERMINAL COMMENT "benchmark ${NAME}")
  add_dependencies(run_${NAME} bench_programs)
  add_dependencies(bench run_${NAME})
endfunction()
