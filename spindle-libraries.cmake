# The packages that the runtime and its codecs link, as targets: spindle_lz4 (must
# be there), spindle_library_deflate and spindle_library_zstd (where they are found).
# For CMakeLists.txt and the installed spindle-config.cmake.
function(spindle_find_library target header)
    if(TARGET ${target})
        return()
    endif()
    find_library(${target}_FILE NAMES ${ARGN})
    find_path(${target}_INCLUDE ${header})
    mark_as_advanced(${target}_FILE ${target}_INCLUDE)
    if(${target}_FILE AND ${target}_INCLUDE)
        add_library(${target} INTERFACE IMPORTED GLOBAL)
        set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${${target}_FILE}"
                              INTERFACE_INCLUDE_DIRECTORIES "${${target}_INCLUDE}")
    endif()
endfunction()

spindle_find_library(spindle_lz4 lz4.h lz4 liblz4)
if(NOT TARGET spindle_lz4)
    message(FATAL_ERROR "spindle needs lz4: liblz4-dev, or a target spindle_lz4 of your own")
endif()
spindle_find_library(spindle_library_deflate zlib.h z zlib)
spindle_find_library(spindle_library_zstd zstd.h zstd libzstd)
