// Another order of the numbers up to `last`, a power of two less one: every step can be undone.
//
//   shuffled(i, 1023)   ->   each of 0 … 1023 once, for i = 0 … 1023
#pragma once

__device__ inline unsigned shuffled(unsigned piece, unsigned last) {
  piece ^= piece >> 11;
  piece = piece * 0x9E3779B1u & last;
  piece ^= piece >> 13;
  piece = piece * 0x85EBCA6Bu & last;
  piece ^= piece >> 12;
  return piece & last;
}
