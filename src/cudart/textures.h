// The texture and surface objects that stand for arrays or for linear memory.
#pragma once
#include "cudart/array.h"
#include "sim/texture.h"

namespace headroom::cudart {

struct TextureObject {
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  cudaResourceViewDesc view{};
};

struct Textures {
  std::map<unsigned long long, TextureObject> objects;
  unsigned long long next = 1;
};

Textures& textures_of(Session&);

}  // namespace headroom::cudart
