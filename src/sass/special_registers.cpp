// What S2R, S2UR and CS2R read. Source: what nvdisasm 13.5 prints for each number.
#include <fmt/format.h>

#include <array>
#include <string>

#include "sass/forms.h"

namespace headroom::sass {
namespace {

struct Named {
  uint8_t number;
  const char* name;
  int first = 0;  // architecture
};

constexpr Named names[] = {
    {0x00, "SR_LANEID"},
    {0x01, "SR_CLOCK"},
    {0x02, "SR_VIRTCFG"},
    {0x03, "SR_VIRTID"},
    {0x20, "SR_TID"},
    {0x21, "SR_TID.X"},
    {0x22, "SR_TID.Y"},
    {0x23, "SR_TID.Z"},
    {0x25, "SR_CTAID.X"},
    {0x26, "SR_CTAID.Y"},
    {0x27, "SR_CTAID.Z"},
    {0x28, "SR_NTID"},
    {0x2e, "SR_LWINHI"},
    {0x2f, "SR_SWINHI"},
    {0x30, "SR_SWINLO"},
    {0x31, "SR_SWINSZ"},
    {0x32, "SR_SMEMSZ"},
    {0x33, "SR_SMEMBANKS"},
    {0x34, "SR_LWINLO"},
    {0x35, "SR_LWINSZ"},
    {0x36, "SR_LMEMLOSZ"},
    {0x37, "SR_LMEMHIOFF"},
    {0x38, "SR_EQMASK"},
    {0x39, "SR_LTMASK"},
    {0x3a, "SR_LEMASK"},
    {0x3b, "SR_GTMASK"},
    {0x3c, "SR_GEMASK"},
    {0x3d, "SR_REGALLOC"},
    {0x3e, "SR_BARRIERALLOC"},
    {0x40, "SR_GLOBALERRORSTATUS"},
    {0x42, "SR_WARPERRORSTATUS"},
    {0x43, "SR_VIRTUALSMID"},
    {0x50, "SR_CLOCKLO"},
    {0x51, "SR_CLOCKHI"},
    {0x52, "SR_GLOBALTIMERLO"},
    {0x53, "SR_GLOBALTIMERHI"},
    {0x86, "SR_WARPGROUP_INFO", 90},
    {0x87, "SR_WARPGROUPID", 90},
    {0x88, "SR_CgaCtaId", 90},
    {0x89, "SR_GpcLocalCgaId", 90},
    {0x8b, "SR_CTARegPoolSz", 90},
    {0x64, "SR_PM0"},
    {0x65, "SR_PM_HI0"},
    {0x66, "SR_PM1"},
    {0x67, "SR_PM_HI1"},
    {0x68, "SR_PM2"},
    {0x69, "SR_PM_HI2"},
    {0x6a, "SR_PM3"},
    {0x6b, "SR_PM_HI3"},
    {0x6c, "SR_PM4"},
    {0x6d, "SR_PM_HI4"},
    {0x6e, "SR_PM5"},
    {0x6f, "SR_PM_HI5"},
    {0x70, "SR_PM6"},
    {0x71, "SR_PM_HI6"},
    {0x72, "SR_PM7"},
    {0x73, "SR_PM_HI7"},
    {0x74, "SR_SNAP_PM0"},
    {0x75, "SR_SNAP_PM_HI0"},
    {0x76, "SR_SNAP_PM1"},
    {0x77, "SR_SNAP_PM_HI1"},
    {0x78, "SR_SNAP_PM2"},
    {0x79, "SR_SNAP_PM_HI2"},
    {0x7a, "SR_SNAP_PM3"},
    {0x7b, "SR_SNAP_PM_HI3"},
    {0x7c, "SR_SNAP_PM4"},
    {0x7d, "SR_SNAP_PM_HI4"},
    {0x7e, "SR_SNAP_PM5"},
    {0x7f, "SR_SNAP_PM_HI5"},
    {0x80, "SR_SNAP_PM6"},
    {0x81, "SR_SNAP_PM_HI6"},
    {0x82, "SR_SNAP_PM7"},
    {0x83, "SR_SNAP_PM_HI7"},
    {0xff, "SRZ"},
};

}  // namespace

std::string_view special_register(uint32_t number, int architecture) {
  for (const Named& each : names)
    if (each.number == number && architecture >= each.first) return each.name;
  static const auto& others = *new std::array<std::string, 256>([] {
    std::array<std::string, 256> all;
    for (size_t i = 0; i < all.size(); ++i) all[i] = fmt::format("SR{}", i);
    return all;
  }());
  return others[number & 255];
}

}  // namespace headroom::sass
