// The core as a process. usage: landscaper-core [--config FILE] [--kubeconfig FILE] [--landscaper-kubeconfig FILE]
// [--metrics-port N] [--leader-elect] [--leader-elect-lease-duration D] [-v LEVEL]; NATS_URL names where CloudEvents are published.
// Or: landscaper-core cleanup FLAGS, which Helm runs in a pre-delete hook.
import { runMain } from "@landscaper/controller-runtime";
import { findCleanup } from "@landscaper/deployer";
import { runCleanupProgram } from "./protection/cleanup/run-cleanup-program.ts";
import { runCore } from "./run-core.ts";

const argv = process.argv.slice(2);
const cleanup = findCleanup(argv);
await (cleanup === undefined
  ? runMain((signal) => runCore({ argv, env: process.env }, signal))
  : runCleanupProgram(cleanup));
