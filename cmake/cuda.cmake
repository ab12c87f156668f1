# The CUDA 13 toolkit, needed to build the studies and the tests' kernels (never to link headroom itself):
# from CUDA_HOME, from PATH, or from the usual folders. Sets CUDA_ROOT and NVCC.
find_program(NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin
             PATHS /usr/local/cuda/bin /usr/local/cuda-13/bin /usr/local/cuda-13.0/bin /opt/cuda/bin)
if(NOT NVCC)
  message(FATAL_ERROR "nvcc not found: install the CUDA 13 toolkit, or set CUDA_HOME to its folder")
endif()
get_filename_component(CUDA_BIN ${NVCC} DIRECTORY)
get_filename_component(CUDA_ROOT ${CUDA_BIN} DIRECTORY)
