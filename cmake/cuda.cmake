# The CUDA 13 toolkit, needed to build the studies and the tests' kernels (never to link headroom itself):
# from CUDA_HOME, from PATH, or from the usual folders. Sets CUDA_ROOT and NVCC.
find_program(NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin
             PATHS /usr/local/cuda/bin /usr/local/cuda-13/bin /usr/local/cuda-13.0/bin /opt/cuda/bin)
if(NOT NVCC)
  message(FATAL_ERROR "nvcc not found: install the CUDA 13 toolkit, or set CUDA_HOME to its folder")
endif()
get_filename_component(CUDA_BIN ${NVCC} DIRECTORY)
get_filename_component(CUDA_ROOT ${CUDA_BIN} DIRECTORY)

set(CUDA_HOST_OPTIMIZATION -O3)   # of the host's code; that of devices is always optimised

# cuda_program(NAME SOURCES... [ARCH 80 90a] [OPTIONS FLAGS...] [LIBRARIES FILES...] [HOST REGEX]): the CUDA program bin/NAME, built
# the way users of headroom build theirs: `nvcc -cudart shared`, with line information. Sources include from the root
# ("studies/common/check.h"). It carries PTX and machine code of sm_80, or of every ARCH, and finds the toolkit's own runtime
# where there is one. Sources without a kernel that HOST matches go to the C++ compiler itself: nvcc reads a file once for the
# host and once for each architecture, and these cost most, for what they include.
function(cuda_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "HOST" "ARCH;OPTIONS;LIBRARIES")
  if(NOT program_ARCH)
    set(program_ARCH 80)
  endif()
  set(arch)
  foreach(one ${program_ARCH})
    list(APPEND arch -gencode "arch=compute_${one},code=[sm_${one},compute_${one}]")
  endforeach()
  set(objects)
  foreach(source ${program_UNPARSED_ARGUMENTS})
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(stem ${source} NAME_WE)
    file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${path})
    string(REGEX MATCH "/${name}/(.+)\\.cu$" inner ${path})
    if(inner)   # two folders of a study may have files of the same name
      string(REPLACE "/" "." stem ${CMAKE_MATCH_1})
    endif()
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.${stem}.o)
    set(compiler ${NVCC} -c -cudart shared ${arch} -lineinfo ${program_OPTIONS})
    set(launcher ${NVCC_LAUNCHER})
    set(with nvcc)
    if(program_HOST AND shown MATCHES "/${name}/(${program_HOST})\\.cu$")
      set(for_host ${program_OPTIONS})
      list(REMOVE_ITEM for_host -Xcompiler)
      string(REPLACE "," ";" for_host "${for_host}")
      set(compiler ${CMAKE_CXX_COMPILER} -c -x c++ -include cuda_runtime.h -isystem ${CUDA_ROOT}/include ${for_host})
      set(launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
      set(with c++)
    endif()
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${launcher} ${compiler} -std=c++20 ${CUDA_HOST_OPTIMIZATION} -I${CMAKE_SOURCE_DIR}
              -I${CMAKE_SOURCE_DIR}/include -MD -MF ${object}.d ${path} -o ${object}
      DEPENDS ${path} DEPFILE ${object}.d
      COMMENT "${with} ${shown}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(program ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
  set(borrowed ${program_LIBRARIES})  # objects of another program
  list(FILTER borrowed INCLUDE REGEX "\\.o$")
  file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${NVCC} -cudart shared ${arch} ${objects} ${program_LIBRARIES} -Xlinker -rpath=${CUDA_ROOT}/lib64 -o ${program}
    DEPENDS ${objects} ${borrowed} COMMENT "nvcc -o bin/${name}" VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${program})
endfunction()
