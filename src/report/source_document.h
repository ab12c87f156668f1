// A kernel's machine instructions under their source lines, with what each executed.
//
//                                                              warp thread
//                                                            instr. instr. lanes req.
//     →  68 % saxpy.cu:6  if (i < n) y[i] = a * x[i] + y[i]; 26.6 k  852 k  32.0 6144
//         0x00d0 LDG.E R2, desc[UR4][R2.64]                    2048 65.5 k  32.0 2048
#pragma once
#include "model/source_page.h"
#include "report/document.h"

namespace headroom {

Document source_document(const SourcePage&);

}  // namespace headroom
