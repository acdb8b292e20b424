import type { Environment, EnvironmentOptions } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import type { Sentinel } from "../src/kits/sentinel.ts";
import { createSentinel } from "../src/kits/sentinel.ts";
import type { ServiceName } from "../src/services/service-process.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import type { NatsTap } from "../src/namespaces/visible-texts.ts";
import { collectObjectTexts, collectServiceTexts, findLeaks, tapNats } from "../src/namespaces/visible-texts.ts";
import { type ApiProxy, startApiProxy } from "@landscaper/testkit";

/** An environment whose services reach hub and target only through a proxy each. */
export interface ProxiedEnvironment {
  readonly environment: Environment;
  /** What the jobs import from a Secret. */
  readonly sentinel: Sentinel;
  proxy(service: ServiceName): ApiProxy;
  /** Where the sentinel shows in the namespace's statuses, metadata and events. */
  findObjectLeaks(scope: TestNamespace): Promise<readonly Leak[]>;
  /** Where it shows in logs, metrics and on NATS. */
  findServiceLeaks(): Promise<readonly Leak[]>;
  stop(): Promise<void>;
}

type Leak = ReturnType<typeof findLeaks>[number];

/** Hub and target are one cluster, so that the proxy of a manifest deployer sees its writes to both. */
export async function startProxiedEnvironment(options: EnvironmentOptions): Promise<ProxiedEnvironment> {
  const proxies = new Map<ServiceName, ApiProxy>();
  let targetKubeconfig = "";
  const stopProxies = async (): Promise<void> => {
    await Promise.all([...proxies.values()].map(async (proxy) => proxy.stop()));
  };
  function proxy(service: ServiceName): ApiProxy {
    const found = proxies.get(service);
    if (found === undefined) throw new Error(`there is no proxy before ${service}`);
    return found;
  }
  try {
    const environment = await startEnvironment({
      restarts: true,
      separateTarget: false,
      nats: true,
      ...options,
      async kubeconfigFor(service, hub) {
        const created = await startApiProxy({
          upstream: { url: hub.url, ca: hub.ca },
          token: hub.serviceToken(service),
        });
        proxies.set(service, created);
        if (service === "manifest-deployer") targetKubeconfig = created.kubeconfigFor(hub.token);
        return created.kubeconfig;
      },
      ...(options.services.includes("manifest-deployer") ? { targetKubeconfig: () => targetKubeconfig } : {}),
    });
    const sentinel = createSentinel();
    const tap: NatsTap | undefined = environment.nats === undefined ? undefined : await tapNats(environment.nats.url);
    return {
      environment,
      proxy,
      sentinel,
      findObjectLeaks: async (scope) => findLeaks(await collectObjectTexts(scope), sentinel.findIn),
      findServiceLeaks: async () =>
        findLeaks([...(await collectServiceTexts(environment)), ...(tap?.texts ?? [])], sentinel.findIn),
      async stop() {
        await tap?.stop();
        await environment.stop();
        await stopProxies();
      },
    };
  } catch (error) {
    await stopProxies();
    throw error;
  }
}
