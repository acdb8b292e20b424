import type { Environment, EnvironmentOptions } from "../src/environment.ts";
import { startEnvironment } from "../src/environment.ts";
import type { ServiceName } from "../src/service-process.ts";
import type { ApiProxy } from "./api-proxy.ts";
import { startApiProxy } from "./api-proxy.ts";

/** An environment whose services reach hub and target only through a proxy each. */
export interface ProxiedEnvironment {
  readonly environment: Environment;
  proxy(service: ServiceName): ApiProxy;
  stop(): Promise<void>;
}

/** Hub and target are one cluster, so that a deployer's proxy sees its writes to both. */
export async function startProxiedEnvironment(options: EnvironmentOptions): Promise<ProxiedEnvironment> {
  const proxies = new Map<ServiceName, ApiProxy>();
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
      ...options,
      async kubeconfigFor(service, hub) {
        const created = await startApiProxy({ upstream: { url: hub.url, ca: hub.ca }, token: hub.token });
        proxies.set(service, created);
        return created.kubeconfig;
      },
      targetKubeconfig: () => proxy("manifest-deployer").kubeconfig,
    });
    return {
      environment,
      proxy,
      async stop() {
        await environment.stop();
        await stopProxies();
      },
    };
  } catch (error) {
    await stopProxies();
    throw error;
  }
}
