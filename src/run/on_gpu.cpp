#include "run/on_gpu.h"

#include "gpu/read_trace.h"
#include "run/environment.h"
#include "run/record_folder.h"
#include "run/signals.h"

namespace headroom {

Records on_gpu(const Program& program, const GpuOptions& options) {
  const SignalWatch watch(OnSignal::pass_on);
  const RecordFolder folder;
  Records records;
  records.end =
      run_process({program.path, program.command,
                   gpu_environment(options.gpu, folder.prefix(), options.cupti), program.output});
  records.measured = read_traces(folder.traces(records.end.process));
  return records;
}

}  // namespace headroom
