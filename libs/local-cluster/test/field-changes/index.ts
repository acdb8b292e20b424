// For recording and for the e2e suites: changes of single fields, which this server answers as the real one does.
export { differences } from "./differences.ts";
export { createEmbeddedSend } from "./embedded-send.ts";
export { createRealSend } from "./real-send.ts";
export { nameOfSample, readRecordedChanges, writeRecordedChanges } from "./recorded-changes.ts";
export { prepareNamespace, runSample } from "./run-sample.ts";
export { listServedKinds, writeServedKinds } from "./served-kinds.ts";
export { samples } from "./samples.ts";
