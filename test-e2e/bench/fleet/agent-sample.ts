// Runs some agents of the fleet as processes, each with the rights of its chart. The landscaper cluster is also their host cluster: the bench does not measure hosts.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentAccountName, buildPendingEnvironment, resources } from "@landscaper/api";
import { createKubeconfig } from "@landscaper/testkit";
import { createServiceAccounts, type ServiceAccount } from "../../src/clusters/service-accounts.ts";
import type { TestCluster } from "../../src/clusters/test-cluster.ts";
import { createServiceProcess, type ServiceProcess } from "../../src/services/service-process.ts";
import { readProcessUsage } from "../measure/process-usage.ts";

/** Cost of one agent of the sample. */
export interface AgentCost {
  readonly agents: number;
  /** Maximum of all agents. */
  readonly peakRssMiB: number;
  /** Mean of all agents, without the start of the process. */
  readonly cpuMsPerMinute: number;
}

interface StartedAgent {
  readonly agent: ServiceProcess<"landscaper-agent">;
  readyAt: number;
  cpuSeconds: number;
}

export interface AgentSample {
  /** Creates the Environment, as an administrator does, and starts its agent. */
  start(environment: string): Promise<void>;
  cost(): AgentCost;
  stop(): Promise<void>;
}

export function createAgentSample({ client, url, ca }: TestCluster, namespace: string): AgentSample {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-bench-agents-"));
  const agents: StartedAgent[] = [];

  async function writeKubeconfigs(environment: string): Promise<{ readonly host: string; readonly file: string }> {
    // The admission policy restricts writes on the landscaper cluster by the name of the account.
    const names = { landscaper: agentAccountName(environment), host: `agent-host-${environment}` };
    const accounts = Object.entries(names).map(([side, name]): ServiceAccount => ({
      name,
      chart: "landscaper-agent",
      has: (file) => file.startsWith(`${side}-`),
      environment,
    }));
    const tokens = await createServiceAccounts(client, accounts);
    const kubeconfigOf = (name: string): string =>
      createKubeconfig({ name: "bench", server: url, ca, user: { token: tokens.get(name) ?? "" } });
    const file = join(folder, `${environment}.landscaper`);
    writeFileSync(file, kubeconfigOf(names.landscaper), { mode: 0o600 });
    return { host: kubeconfigOf(names.host), file };
  }

  return {
    async start(environment) {
      const { host, file } = await writeKubeconfigs(environment);
      const pending = { name: environment, namespaces: [namespace], server: url };
      await client.create(resources.environment, buildPendingEnvironment(pending));
      const agent = await createServiceProcess({
        name: "landscaper-agent",
        pod: environment,
        folder,
        kubeconfig: host,
        config: { name: environment, namespace, landscaperNamespace: namespace, namespaces: [namespace] },
        args: ["--landscaper-kubeconfig", file],
        logLevel: "info",
      });
      const started = { agent, readyAt: Number.NaN, cpuSeconds: 0 };
      agents.push(started);
      await agent.start();
      started.readyAt = performance.now();
      started.cpuSeconds = readProcessUsage(agent.child.pid).cpuSeconds;
    },
    cost() {
      const costs = agents.map(({ agent, readyAt, cpuSeconds }) => {
        const usage = readProcessUsage(agent.child.pid);
        const minutes = (performance.now() - readyAt) / 60_000;
        return { peak: usage.peakRssMiB, cpu: ((usage.cpuSeconds - cpuSeconds) * 1000) / minutes };
      });
      return {
        agents: agents.length,
        peakRssMiB: Math.max(0, ...costs.map(({ peak }) => peak)),
        cpuMsPerMinute: costs.reduce((sum, { cpu }) => sum + cpu, 0) / Math.max(1, costs.length),
      };
    },
    async stop() {
      await Promise.all(agents.map(async ({ agent }) => agent.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
