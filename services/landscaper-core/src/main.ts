// The core as a process. usage: landscaper-core [--config FILE] [--kubeconfig FILE] [--landscaper-kubeconfig FILE]
// [--metrics-port N] [--leader-elect] [--leader-elect-lease-duration D] [-v LEVEL]; NATS_URL names where CloudEvents go.
import { runMain } from "@landscaper/controller-runtime";
import { runCore } from "./run-core.ts";

await runMain((signal) => runCore({ argv: process.argv.slice(2), env: process.env }, signal));
