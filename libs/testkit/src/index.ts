// What tests start and play: clusters, clocks, servers, requests.
export { createKubeconfig } from "./clusters/create-kubeconfig.ts";
export type { KubeconfigOptions } from "./clusters/create-kubeconfig.ts";
export { startTestDeployer, testItemType } from "./deployers/play-deployer.ts";
export type { TestDeployer, TestItemConfig } from "./deployers/play-deployer.ts";
export { playPlans, removeRequest, setPlanned } from "./deployers/play-plans.ts";
export type { PlanPlace, PlayedPlan } from "./deployers/play-plans.ts";
export { playedType, removeFinalizer, waitForJob, writePhase } from "./deployers/played-items.ts";
export { startApiProxy } from "./faults/api-proxy.ts";
export type { ApiProxy, ApiProxyOptions, PassedAnswer } from "./faults/api-proxy.ts";
export {
  answerByChance,
  answerInTurn,
  createRandom,
  isJobWrite,
  noFaults,
  strikeAtWrite,
} from "./faults/fault-plan.ts";
export type { Fault, FaultPlan, SeenRequest } from "./faults/fault-plan.ts";
export { createForeignErrors, foreignText } from "./faults/foreign-errors.ts";
export type { ForeignError } from "./faults/foreign-errors.ts";
export { armDeath, deathModesAt, expectTurn, shareOfDeaths, variantsOfRun } from "./faults/process-death.ts";
export type { ArmedDeath, Death, DeathOptions, DeathShare } from "./faults/process-death.ts";
export { isWrite, recordRequests } from "./faults/record-requests.ts";
export type { RequestRecord } from "./faults/record-requests.ts";
export { logRequests } from "./faults/request-log.ts";
export type { RequestLog } from "./faults/request-log.ts";
export { findFreePorts } from "./find-free-ports.ts";
export { describeUnless } from "./programs/describe-unless.ts";
export { freezeProcess } from "./programs/freeze-process.ts";
export { findProgram } from "./programs/find-program.ts";
export { childrenOf, commandOf, findBelow } from "./programs/process-tree.ts";
export { programAbsence } from "./programs/program-absence.ts";
export { playPods } from "./kubelets/play-pods.ts";
export { createFakeClock } from "./clocks/fake-clock.ts";
export type { FakeClock } from "./clocks/fake-clock.ts";
export { startEmbeddedCluster } from "./clusters/embedded-cluster.ts";
export type { EmbeddedCluster, EmbeddedClusterOptions } from "./clusters/embedded-cluster.ts";
export { createOrReplace, installCrds } from "./clusters/install-crds.ts";
export { createVersionedKind, versionedKind, type VersionedKind } from "./clusters/versioned-kind.ts";
export { createNamespace, describeObject, openNamespace } from "./clusters/test-namespace.ts";
export type { NamespaceOptions, TestNamespace } from "./clusters/test-namespace.ts";
export { createLeapingClock } from "./clocks/leaping-clock.ts";
export type { LeapingClock } from "./clocks/leaping-clock.ts";
export { createStandingClock } from "./clocks/standing-clock.ts";
export { sendRequest } from "./requests/send-request.ts";
export type { Reply, RequestOptions, Server } from "./requests/send-request.ts";
export { createTestApi, createTestApiFor } from "./requests/test-api.ts";
export type { TestApi } from "./requests/test-api.ts";
export { watchStream } from "./requests/watch-stream.ts";
export type { StreamedEvent, WatchStream } from "./requests/watch-stream.ts";
export { startGardenerApi } from "./servers/gardener-api.ts";
export { startForwardProxy, type ForwardProxy, type ForwardProxyOptions } from "./servers/forward-proxy.ts";
export type { GardenerApi, TestShoot } from "./servers/gardener-api.ts";
export { createNatsCluster, createNatsServer, type NatsServer } from "./servers/nats-server.ts";
export { json, openWatch, reset, startScriptedApiServer, status, watchLines } from "./servers/scripted-api-server.ts";
export type {
  Answer,
  RecordedRequest,
  ScriptedApiServer,
  ScriptedApiServerOptions,
  StatusAnswer,
} from "./servers/scripted-api-server.ts";
export { createTestLogger } from "./test-logger.ts";
export type { TestLogger } from "./test-logger.ts";
export { patienceMs, waitFor } from "./wait-for.ts";
export type { WaitOptions } from "./wait-for.ts";
