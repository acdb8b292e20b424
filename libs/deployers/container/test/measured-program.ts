// Runs wait or init as a process of its own, for measuring its memory. usage: measured-program.ts idle|wait|init ROOT KUBECONFIG NAMESPACE POD
import { readFileSync } from "node:fs";
import { connectionFromKubeconfig, createClient, createSystemClock } from "@landscaper/controller-runtime";
import { containerPaths, environmentOf, runInit, runWait } from "../src/index.ts";

const [program = "", root = "", kubeconfig = "", namespace = "", pod = ""] = process.argv.slice(2);

async function run(): Promise<void> {
  const paths = containerPaths(root);
  const item = { namespace: "team", name: "setup" };
  const variables = environmentOf(program === "init" ? "init" : "wait", { item, operation: "RECONCILE", paths });
  const env = {
    ...Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    POD_NAME: pod,
    POD_NAMESPACE: namespace,
  };
  const connection = connectionFromKubeconfig(readFileSync(kubeconfig, "utf8"));
  const client = createClient({ connection, userAgent: "measured" });
  const surroundings = { env, log: () => {}, signal: new AbortController().signal, client, paths };
  if (program === "init") await runInit(surroundings);
  else await runWait({ ...surroundings, clock: createSystemClock(), random: Math.random });
  await client.close();
}

if (program !== "idle") await run();
// Most physical memory so far, in KiB. Node's own figure has that of the process that has started this one.
process.stdout.write(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "");
