// Records the requests of users and services: each reaches the API server through a proxy. The measured run has no proxies.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectionFromKubeconfig, createClient, type Client } from "@landscaper/controller-runtime";
import { startApiProxy, waitFor, type ApiProxy } from "@landscaper/testkit";
import type { TestCluster } from "../../src/clusters/test-cluster.ts";
import { createServiceProcess, type ServiceName, type ServiceProcess } from "../../src/services/service-process.ts";
import { openWriteConnection, type WriteConnection } from "../measure/write-connection.ts";
import type { Exchange } from "./exchange.ts";

/** Longer than the delay of Events, which services send after the end of a job. */
const quietMs = 300;

/** Services and a user behind recording proxies. */
export interface RecordedPlace {
  /** Client of the user. */
  readonly client: Client;
  readonly connection: WriteConnection;
  /** Kubeconfig for Targets. */
  readonly targetKubeconfig: string;
  /** Waits until no further exchange ends, and resolves to the exchanges since the last call. Omits Leases and watches, which do not belong to a job. */
  take(): Promise<Exchange[]>;
  stop(): Promise<void>;
}

export interface RecordOptions {
  readonly hub: TestCluster;
  readonly services: readonly ServiceName[];
  readonly configs?: Partial<Record<ServiceName, Readonly<Record<string, unknown>>>>;
  readonly inFlight: number;
}

/** Starts new processes of the services behind proxies. The services of the environment must be down. */
export async function openRecordedPlace({
  hub,
  services,
  configs = {},
  inFlight,
}: RecordOptions): Promise<RecordedPlace> {
  let exchanges: Exchange[] = [];
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  const openProxy = async (token: string): Promise<ApiProxy> => {
    const proxy = await startApiProxy({
      upstream: { url: hub.url, ca: hub.ca },
      token,
      onAnswer: ({ method, path, status, body, request, ended }) => {
        if (path.includes("/coordination.k8s.io/")) return;
        const { body: requestBody, contentType, began } = request;
        exchanges.push({ method, path, contentType, requestBody, status, responseBody: body, began, ended });
      },
    });
    stops.push(async () => proxy.stop());
    return proxy;
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "landscaper-bench-record-"));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    const user = await openProxy(hub.token);
    const { server: url, ca } = connectionFromKubeconfig(user.kubeconfig);
    const client = createClient({ connection: connectionFromKubeconfig(user.kubeconfig), userAgent: "landscaper-e2e" });
    const connection = openWriteConnection({ url, ca, token: hub.token, inFlight });
    stops.push(
      async () => client.close(),
      async () => connection.close(),
    );
    for (const name of services) {
      const { kubeconfig } = await openProxy(hub.serviceToken(name));
      const options = { name, folder, kubeconfig, config: configs[name], logLevel: "info" };
      const service: ServiceProcess = await createServiceProcess(options);
      stops.push(async () => service.stop());
      await service.start();
    }
    const take = async (): Promise<Exchange[]> => {
      const isQuiet = async (): Promise<boolean> => {
        const before = exchanges.length;
        await sleep(quietMs);
        return exchanges.length === before;
      };
      await waitFor(isQuiet);
      const taken = exchanges;
      exchanges = [];
      return taken;
    };
    return { client, connection, targetKubeconfig: user.kubeconfig, take, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
