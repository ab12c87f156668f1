#include "lab/steps.h"

namespace headroom {

const std::vector<Step>& steps() {
  static const std::vector<Step> all = {
      {"copy", 19, {}},
      {"copy_in_flight",
       6,
       {"{program:copy}", "--bytes", "1G", "--occupancy", "3.125", "--variant", "bulk", "--chunk",
        "4096,8192,12288,16384,20480,24576,32768,49152", "--json", "{json}"}},
      {"copy_large",
       15,
       {"{program:copy}", "--bytes", "4G", "--occupancy", "3.125,6.25", "--variant",
        "pipelined,queued,bulk", "--json", "{json}"}},
      {"latency", 25, {}},
      {"registers", 16, {}},
      {"nbody", 45, {}},
      {.name = "barnes_hut", .seconds = 420, .command = {}, .is_usual = false},
      {"sgemm", 40, {}},
      {"sgemm_vs_cublas", 60, {"{program:sgemm_vs_cublas}", "--json", "{json}"}},
      {"sgemm_accuracy",
       16,
       {"{program:sgemm_vs_cublas}", "--accuracy", "--rung", "naive,tensor_bf16,tensor_f16",
        "--json", "{json}", "--size", "1024x1024x64,1024x1024x256,1024x1024x1024,1024x1024x8192"}},
      {.name = "fft", .seconds = 60, .command = {}, .is_usual = false},
      {.name = "fft_vs_cufft",
       .seconds = 100,
       .command = {"{program:fft_vs_cufft}", "--json", "{json}"},
       .is_usual = false},
      {.name = "fft_accuracy",
       .seconds = 30,
       .command = {"{program:fft}", "--accuracy", "--bytes", "16M", "--size",
                   "16,32,64,128,256,512,1024,2048,4096,8192", "--json", "{json}"},
       .is_usual = false},
      {"transfer", 150, {"{program:transfer}", "--json", "{json}"}},
      {"machine",
       120,
       {"{headroom}", "machine", "measure", "--gpu", "{gpu}", "--out", "{json}"},
       "machines/measured/{machine}.json"},
      {"injection",
       57,
       {"python3", "{script:measure_injection.py}", "{folder:.}", "{folder:visit}", "--pairs", "5",
        "--out", "{json}"}},
      {.name = "reproduce",
       .seconds = 30,
       .command = {"{headroom}", "reproduce", "--gpu", "none", "--results", "{results}", "--json",
                   "{json}"},
       .is_lasting = false},
  };
  return all;
}

}  // namespace headroom
