// The agent as a process. usage: landscaper-agent [--config FILE] [--kubeconfig FILE] --landscaper-kubeconfig FILE
// [--metrics-port N] [--lease-namespace NAMESPACE] [--lease-duration D] [-v LEVEL].
import { runMain } from "@landscaper/controller-runtime";
import { runAgent } from "./run-agent.ts";

await runMain((signal) => runAgent({ argv: process.argv.slice(2), env: process.env }, signal));
