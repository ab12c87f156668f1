// See picture.h.
#include <algorithm>
#include <cmath>

#include "studies/barnes_hut/snapshots/files.h"
#include "studies/barnes_hut/snapshots/picture.h"

#ifdef BARNES_HUT_PNG
#include <png.h>
#endif

namespace barnes_hut {

namespace {

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// A Gaussian along rows (stride 1) or columns (stride width).
void blur(std::vector<float>& image, int lines, int length, int next_line, int next,
          double deviation) {
  const int reach = int(std::ceil(3 * deviation));
  std::vector<float> weight(reach + 1), line(length);
  float sum = 0;
  for (int d = 0; d <= reach; ++d) {
    weight[d] = float(std::exp(-d * d / (2 * deviation * deviation)));
    sum += d == 0 ? weight[d] : 2 * weight[d];
  }
#pragma omp parallel for firstprivate(line)
  for (int l = 0; l < lines; ++l) {
    float* const first = &image[size_t(l) * next_line];
    for (int i = 0; i < length; ++i) line[i] = first[size_t(i) * next] / sum;
    for (int i = 0; i < length; ++i) {
      float value = 0;
      for (int d = -reach; d <= reach; ++d) {
        if (i + d >= 0 && i + d < length) value += weight[std::abs(d)] * line[i + d];
      }
      first[size_t(i) * next] = value;
    }
  }
}

}  // namespace

Camera::Camera(const Bodies& bodies, const Film& film) : film_(film) {
  if (film_.extent == 0) {
    std::vector<double> x, y, away;
    for (const auto& body : bodies) x.push_back(body.x), y.push_back(body.y);
    x_ = quantile(x, 0.5), y_ = quantile(y, 0.5);
    for (const auto& body : bodies) {
      away.push_back(std::max(std::abs(body.x - x_), std::abs(body.y - y_)));
    }
    film_.extent = 1.1 * quantile(away, 0.95);
    if (!(film_.extent > 0)) film_.extent = 1;  // all at one place
  }
  const double pixels = double(film_.width) * film_.height;
  blur_ = std::min(0.15 * std::sqrt(pixels / double(bodies.size())), 4.0);
  std::vector<float> lit = density(bodies);
  std::erase(lit, 0.0F);
  if (lit.empty()) return;
  const auto bright = lit.begin() + std::ptrdiff_t(0.999 * double(lit.size() - 1));
  std::nth_element(lit.begin(), bright, lit.end());
  brightest_ = *bright;
}

std::vector<float> Camera::density(const Bodies& bodies) const {
  const int width = film_.width, height = film_.height;
  std::vector<float> image(size_t(width) * height);
  const double pixels = std::min(width, height) / (2 * film_.extent);
  for (const auto& body : bodies) {
    const double column = (body.x - x_) * pixels + width / 2.0 - 0.5;
    const double row = (y_ - body.y) * pixels + height / 2.0 - 0.5;
    if (!(column > -1 && column < width && row > -1 && row < height)) continue;
    const int left = int(std::floor(column)), top = int(std::floor(row));
    const double right_share = column - left, bottom_share = row - top;
    for (int r = 0; r < 2; ++r) {
      for (int c = 0; c < 2; ++c) {
        if (left + c < 0 || left + c >= width || top + r < 0 || top + r >= height) continue;
        const double share =
            (c ? right_share : 1 - right_share) * (r ? bottom_share : 1 - bottom_share);
        image[size_t(top + r) * width + left + c] += float(body.mass * share);
      }
    }
  }
  if (blur_ > 0.4) {
    blur(image, height, width, width, 1, blur_);
    blur(image, width, height, 1, width, blur_);
  }
  return image;
}

#ifdef BARNES_HUT_PNG

namespace {

constexpr float decades = 1000;  // from the darkest that shows to the brightest

struct Colour {
  float red, green, blue;
};
// From black over violet, red and orange to white: brighter at every step, so that it reads in grey.
constexpr Colour colours[] = {{4, 3, 16},     {34, 16, 84},    {110, 28, 112}, {190, 55, 82},
                              {238, 118, 44}, {251, 192, 100}, {255, 252, 235}};

Colour colour_of(float brightness) {
  constexpr int last = int(std::size(colours)) - 1;
  const float place = std::clamp(brightness, 0.0F, 1.0F) * last;
  const int below = std::min(int(place), last - 1);
  const float share = place - float(below);
  const Colour &from = colours[below], &to = colours[below + 1];
  const auto mix = [&](float a, float b) { return a + share * (b - a); };
  return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
}

}  // namespace

void require_picture(const std::string& path) {
  if (!path.ends_with(".png")) refuse(path, "a picture's name must end in .png");
  require_replaceable(path);
}

void Camera::take(const std::string& path, const Bodies& bodies) const {
  std::vector<uint8_t> pixels;
  const float darkest = brightest_ / decades;
  for (const float mass : density(bodies)) {
    const float brightness = mass > 0 ? std::log1p(mass / darkest) / std::log1p(decades) : 0;
    const Colour colour = colour_of(brightness);
    for (const float part : {colour.red, colour.green, colour.blue}) {
      pixels.push_back(uint8_t(part + 0.5F));
    }
  }
  replace_file(path, [&](const std::string& beside) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = film_.width, image.height = film_.height;
    image.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&image, beside.c_str(), 0, pixels.data(), 0, nullptr)) {
      refuse(path, image.message);
    }
  });
}

#else

void require_picture(const std::string& path) {
  refuse(path, "this build has no libpng: give -DBARNES_HUT_PNG and the library, or use cmake");
}
void Camera::take(const std::string& path, const Bodies&) const { require_picture(path); }

#endif

std::string numbered(const std::string& path, int number, int most) {
  const size_t digits = std::max<size_t>(4, std::to_string(most).size());
  const std::string written = std::to_string(number);
  const size_t extension = path.size() - 4;
  return path.substr(0, extension) + "_" + std::string(digits - written.size(), '0') + written +
         path.substr(extension);
}

}  // namespace barnes_hut
