// A picture of the bodies as seen along the z axis: the mass in front of each pixel, in logarithmic
// brightness over three decades, as PNG.
//
//   const Camera camera(bodies, {640, 480, 0});    // looks at where most of them are
//   camera.take("run_0001.png", bodies);           // later ones too: same view, same brightness
//
// With few bodies a body is a disk of some pixels, with many a share of the four next to it.
#pragma once
#include <string>
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

struct Film {
  int width = 1024, height = 1024;
  double extent = 0;  // half the shorter side, in lengths; 0: nineteen bodies of twenty fit
};

class Camera {
 public:
  Camera(const Bodies& bodies, const Film& film);
  // Throws Refused where it cannot be written.
  void take(const std::string& path, const Bodies& bodies) const;

 private:
  std::vector<float> density(const Bodies& bodies) const;

  Film film_;
  double x_ = 0, y_ = 0;  // the middle
  double blur_;           // standard deviation of a body's disk, in pixels
  float brightest_ = 0;
};

// Throws Refused where this build has no library for it, or nothing can be written there.
void require_picture(const std::string& path);

// run.png, 7 of 100 -> run_0007.png
std::string numbered(const std::string& path, int number, int most);

}  // namespace barnes_hut
