# The program brings its libraries along: it starts in a tenth of the time, and the file that is built and tested
# here runs wherever there is a glibc (scripts/dist). kforge::fmt, kforge::toml and kforge::re2 stand for them.
# A library that cannot be had this way is linked as the system offers it; scripts/dist refuses the result.

get_filename_component(here ${CMAKE_CURRENT_LIST_FILE} DIRECTORY)

# Only this major version leaves to its library what fmt.cpp holds.
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  add_library(kforge_fmt STATIC ${here}/fmt.cpp)
  get_target_property(fmt_headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(kforge_fmt SYSTEM PUBLIC ${fmt_headers})
  add_library(kforge::fmt ALIAS kforge_fmt)
else()
  add_library(kforge::fmt ALIAS fmt::fmt)
endif()

add_library(kforge_toml STATIC ${here}/tomlplusplus.cpp)
get_target_property(toml_headers tomlplusplus::tomlplusplus INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(kforge_toml SYSTEM PUBLIC ${toml_headers})
target_compile_definitions(kforge_toml PUBLIC TOML_HEADER_ONLY=0)
add_library(kforge::toml ALIAS kforge_toml)

find_library(KFORGE_RE2_ARCHIVE libre2.a HINTS ${RE2_LIBRARY_DIRS})
if(KFORGE_RE2_ARCHIVE AND RE2_VERSION VERSION_LESS 11)  # later ones want half of Abseil beside it
  add_library(kforge_re2 INTERFACE)
  target_include_directories(kforge_re2 SYSTEM INTERFACE ${RE2_INCLUDE_DIRS})
  target_link_libraries(kforge_re2 INTERFACE ${KFORGE_RE2_ARCHIVE} Threads::Threads)
  add_library(kforge::re2 ALIAS kforge_re2)
else()
  add_library(kforge::re2 ALIAS PkgConfig::RE2)
endif()
