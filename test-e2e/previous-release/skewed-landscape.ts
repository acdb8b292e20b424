// A core, an agent and a manifest deployer of an Environment, each of this release or of the previous one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { annotations, kubeResources, resources } from "@landscaper/api";
import { createKubeconfig, waitFor } from "@landscaper/testkit";
import { mapRegistration, startAgentLandscape, type AgentLandscape } from "../agent/agent-landscape.ts";
import { tailOf } from "../cluster/child.ts";
import { coreAccount, createServiceAccounts } from "../src/clusters/service-accounts.ts";
import type { ClusterName } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { createServiceProcess, type ProgramName, type ServiceProcess } from "../src/services/service-process.ts";
import { buildPreviousRelease } from "./previous-release.ts";

export type Release = "previous" | "this";

export interface SkewedLandscape {
  readonly landscape: AgentLandscape;
  readonly scope: TestNamespace;
  /** A chart that the agent installs; it contains the kubeconfig of the deployer. */
  readonly registration: string;
  /** Each stops the running process, if there is one, and starts one of the release. */
  readonly start: {
    core(release: Release): Promise<void>;
    agent(release: Release): Promise<void>;
    deployer(release: Release): Promise<void>;
  };
  /** Kubeconfig of the deployer on the landscaper cluster. */
  deployerKubeconfig(): Promise<string>;
  /** Sets the value `step` of the chart, and waits until the agent has applied it. */
  upgradeChart(step: number): Promise<void>;
  /** The ends of the logs of all processes. */
  describeLogs(): string;
  stop(): Promise<void>;
}

export async function startSkewedLandscape(cluster: ClusterName): Promise<SkewedLandscape> {
  const previous = buildPreviousRelease();
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-skew-"));
  const landscape = await startAgentLandscape({
    cluster,
    hasCore: false,
    release: { name: "previous", root: previous.root },
  });
  const { client, name, namespace, environment, suffix } = landscape;
  const registration = `manifest-${suffix}`;
  const scope = await environment.namespace("skew");
  const processes: ServiceProcess<ProgramName>[] = [];
  const running = new Map<ProgramName, ServiceProcess<ProgramName>>();
  const bundlesOf = (release: Release) => (release === "previous" ? { bundles: previous.bundles } : {});
  const podOf = (program: ProgramName, release: Release): string => `${program}-${release}-${processes.length}`;

  async function replace(next: ServiceProcess<ProgramName>): Promise<void> {
    await running.get(next.name)?.stop();
    running.set(next.name, next);
    processes.push(next);
    await next.start();
  }

  /** As Helm does, an upgrade and a rollback bring the rights of the release, too. */
  async function coreKubeconfig(release: Release): Promise<string> {
    const account = `landscaper-core-${release}`;
    const isPrevious = release === "previous";
    const tokens = await createServiceAccounts(client, [
      { ...coreAccount(account), ...(isPrevious ? { release: { name: release, root: previous.root } } : {}) },
    ]);
    const user = { token: tokens.get(account) ?? "" };
    return createKubeconfig({ name: account, server: environment.hub.url, ca: environment.hub.ca, user });
  }

  async function deployerKubeconfig(): Promise<string> {
    const key = { namespace, name: `${registration}-${name}-access` };
    const { data } = await client.get(kubeResources.secret, key);
    return Buffer.from(data?.["kubeconfig"] ?? "", "base64").toString();
  }

  const start = {
    async core(release: Release): Promise<void> {
      const deployerManagement = { namespace, leaseNamespace: namespace };
      const core = { name: "landscaper-core", pod: podOf("landscaper-core", release), folder } as const;
      const kubeconfig = await coreKubeconfig(release);
      await replace(
        await createServiceProcess({ ...core, kubeconfig, config: { deployerManagement }, ...bundlesOf(release) }),
      );
    },
    async agent(release: Release): Promise<void> {
      await replace(
        await landscape.createAgent({
          pod: podOf("landscaper-agent", release),
          config: { namespaces: [scope.name] },
          createsEnvironment: true,
          ...bundlesOf(release),
        }),
      );
    },
    async deployer(release: Release): Promise<void> {
      const deployer = { name: "manifest-deployer", pod: podOf("manifest-deployer", release), folder } as const;
      const targetSelector = [{ annotations: [{ key: annotations.environment, operator: "=", values: [name] }] }];
      const config = { identity: `${registration}-${name}`, targetSelector, namespaces: [scope.name] };
      const kubeconfig = await deployerKubeconfig();
      await replace(await createServiceProcess({ ...deployer, kubeconfig, config, ...bundlesOf(release) }));
    },
  };

  await start.core("previous");
  await start.agent("previous");
  await client.create(resources.deployerRegistration, await mapRegistration(registration, { hasAccess: true }));
  await landscape.untilSucceeded("1/1");
  await start.deployer("previous");
  const { metadata, ...target } = scope.target("target");
  await scope.apply({ ...target, metadata: { ...metadata, annotations: { [annotations.environment]: name } } });

  return {
    landscape,
    scope,
    registration,
    start,
    deployerKubeconfig,
    async upgradeChart(step) {
      const { spec } = await mapRegistration(registration, { hasAccess: true, step });
      const key = { name: registration };
      await client.patch(resources.deployerRegistration, key, { type: "merge", body: { spec } });
      const map = { namespace, name: `${registration}-${name}` };
      const isApplied = async (): Promise<boolean> =>
        (await client.find(kubeResources.configMap, map))?.data?.["step"] === String(step);
      await waitFor(isApplied);
      await landscape.untilSucceeded("1/1");
    },
    describeLogs: () => processes.map(({ pod, logFile }) => `--- ${pod}\n${tailOf(logFile, 8)}`).join("\n"),
    async stop() {
      for (const each of processes) await each.stop();
      await landscape.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
