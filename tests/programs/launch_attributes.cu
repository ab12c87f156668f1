// Every attribute of a launch: which values go through, and with what code the others come back.
#include <functional>

#include "tests/programs/expect.cuh"

using Value = cudaLaunchAttributeValue;

__global__ void add(int* value, int what) { atomicAdd(value, what); }

static int* value;
static cudaEvent_t plain, timed;

static cudaError_t launched(int id, const std::function<void(Value&)>& set) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeID(id);
  set(attribute.val);
  cudaLaunchConfig_t config = {};
  config.gridDim = 2, config.blockDim = 32;
  config.attrs = &attribute, config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, add, value, 1);
}

static void windows() {
  auto window = [](float ratio, cudaAccessProperty miss, size_t bytes = 256) {
    return launched(cudaLaunchAttributeAccessPolicyWindow, [=](Value& v) {
      v.accessPolicyWindow.base_ptr = value, v.accessPolicyWindow.num_bytes = bytes;
      v.accessPolicyWindow.hitRatio = ratio, v.accessPolicyWindow.missProp = miss;
      v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    });
  };
  EXPECT_OK(window(0.5f, cudaAccessPropertyStreaming));
  EXPECT_CODE(cudaErrorInvalidValue, window(1.5f, cudaAccessPropertyStreaming));
  EXPECT_CODE(cudaErrorInvalidValue, window(-1, cudaAccessPropertyStreaming));
  EXPECT_CODE(cudaErrorInvalidValue, window(1, cudaAccessPropertyPersisting));
  EXPECT_CODE(cudaErrorInvalidValue, window(1, cudaAccessPropertyNormal, size_t(1) << 33));
}

static void events() {
  for (int id : {cudaLaunchAttributeProgrammaticEvent, cudaLaunchAttributeLaunchCompletionEvent}) {
    auto with = [id](cudaEvent_t event) {
      return launched(id, [=](Value& v) {
        if (id == cudaLaunchAttributeProgrammaticEvent)
          v.programmaticEvent.event = event;
        else
          v.launchCompletionEvent.event = event;
      });
    };
    EXPECT_OK(with(plain));
    EXPECT_OK(cudaEventSynchronize(plain));
    EXPECT_CODE(cudaErrorNotSupported, with(timed));
    EXPECT_CODE(cudaErrorInvalidResourceHandle, with(nullptr));
  }
  EXPECT_CODE(cudaErrorInvalidValue, launched(cudaLaunchAttributeProgrammaticEvent, [](Value& v) {
                v.programmaticEvent.event = plain, v.programmaticEvent.flags = 4;
              }));
}

static void numbers() {
  auto is = [](int id, unsigned what) {
    return launched(id, [=](Value& v) { v.sharedMemCarveout = what; });
  };
  for (int what : {0, 1}) {
    EXPECT_OK(is(cudaLaunchAttributeIgnore, what));
    EXPECT_OK(is(cudaLaunchAttributeCooperative, what));
    EXPECT_OK(is(cudaLaunchAttributeProgrammaticStreamSerialization, what));
    EXPECT_OK(is(cudaLaunchAttributeNvlinkUtilCentricScheduling, what));
    EXPECT_OK(launched(cudaLaunchAttributeMemSyncDomain,
                       [=](Value& v) { v.memSyncDomain = cudaLaunchMemSyncDomain(what); }));
  }
  EXPECT_CODE(cudaErrorInvalidValue, launched(cudaLaunchAttributeMemSyncDomain, [](Value& v) {
                v.memSyncDomain = cudaLaunchMemSyncDomain(2);
              }));
  EXPECT_CODE(cudaErrorInvalidValue, launched(cudaLaunchAttributeNvlinkUtilCentricScheduling,
                                              [](Value& v) { v.nvlinkUtilCentricScheduling = 2; }));
  for (int priority : {0, -1, -5, -100, 100})
    EXPECT_OK(launched(cudaLaunchAttributePriority, [=](Value& v) { v.priority = priority; }));
  for (unsigned domain : {0, 3, 4})
    EXPECT_CODE(domain < 4 ? cudaSuccess : cudaErrorInvalidValue,
                launched(cudaLaunchAttributeMemSyncDomainMap, [=](Value& v) {
                  v.memSyncDomainMap.default_ = (unsigned char)domain,
                  v.memSyncDomainMap.remote = 1;
                }));
  for (unsigned share : {0u, 50u, 100u})
    EXPECT_OK(is(cudaLaunchAttributePreferredSharedMemoryCarveout, share));
  for (unsigned share : {101u, ~0u})
    EXPECT_CODE(cudaErrorInvalidValue, is(cudaLaunchAttributePreferredSharedMemoryCarveout, share));
  for (int policy : {0, 1, 2})
    EXPECT_OK(launched(cudaLaunchAttributeClusterSchedulingPolicyPreference, [=](Value& v) {
      v.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicy(policy);
    }));
  EXPECT_CODE(cudaErrorInvalidValue,
              launched(cudaLaunchAttributeClusterSchedulingPolicyPreference, [](Value& v) {
                v.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicy(3);
              }));
  for (int policy : {0, 1, 4})  // of streams, not of launches
    EXPECT_CODE(cudaErrorInvalidValue,
                launched(cudaLaunchAttributeSynchronizationPolicy,
                         [=](Value& v) { v.syncPolicy = cudaSynchronizationPolicy(policy); }));
  EXPECT_CODE(cudaErrorNotSupported, is(cudaLaunchAttributeDeviceUpdatableKernelNode, 1));
  for (int unknown : {15, 17, 18, 999, -1}) EXPECT_CODE(cudaErrorInvalidValue, is(unknown, 0));
}

static cudaError_t clustered(dim3 grid, dim3 cluster, dim3 preferred) {
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = cluster.x, attributes[0].val.clusterDim.y = cluster.y,
  attributes[0].val.clusterDim.z = cluster.z;
  attributes[1].id = cudaLaunchAttributePreferredClusterDimension;
  auto& wish = attributes[1].val.preferredClusterDim;
  wish.x = preferred.x, wish.y = preferred.y, wish.z = preferred.z;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid, config.blockDim = 32;
  bool alone = cluster.x == 0;
  config.attrs = attributes + alone, config.numAttrs = 2 - alone;
  return cudaLaunchKernelEx(&config, add, value, 1);
}

static void clusters() {
  EXPECT_OK(clustered(16, 2, 4));
  EXPECT_OK(clustered(16, 2, 16));
  EXPECT_OK(clustered(dim3(8, 2), 2, dim3(2, 2)));
  EXPECT_CODE(cudaErrorInvalidClusterSize, clustered(16, 2, 3));
  EXPECT_CODE(cudaErrorInvalidClusterSize, clustered(6, 2, 4));
  EXPECT_CODE(cudaErrorInvalidClusterSize, clustered(16, 4, 2));
  EXPECT_CODE(cudaErrorInvalidClusterSize,
              clustered(16, dim3(0), 2));  // one preferred without a least one
}

// A capture keeps them with its node.
static void captured() {
  cudaStream_t stream;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributePriority, attribute.val.priority = -2;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1, config.blockDim = 32, config.stream = stream;
  config.attrs = &attribute, config.numAttrs = 1;
  EXPECT_OK(cudaLaunchKernelEx(&config, add, value, 1));
  cudaGraph_t graph;
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t node;
  size_t count = 1;
  EXPECT_OK(cudaGraphGetNodes(graph, &node, &count));
  Value v = {};
  EXPECT_OK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &v));
  EXPECT(v.priority == -2);
  v.priority = -3;
  EXPECT_OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &v));
  EXPECT_CODE(cudaErrorInvalidValue,
              cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &v));
  v = {};
  EXPECT_OK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &v));
  EXPECT(v.priority == -3);
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaStreamDestroy(stream));
}

int main() {
  EXPECT_OK(cudaMalloc(&value, 4));
  EXPECT_OK(cudaMemset(value, 0, 4));
  EXPECT_OK(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
  EXPECT_OK(cudaEventCreate(&timed));
  windows();
  events();
  numbers();
  clusters();
  captured();
  EXPECT_OK(cudaDeviceSynchronize());
  return failures != 0;
}
