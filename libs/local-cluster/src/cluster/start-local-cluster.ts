import { randomBytes } from "node:crypto";
import { StaticTokens } from "../auth/tokens.ts";
import type { User } from "../auth/user.ts";
import { createCertificateAuthority } from "../certificates/certificate-authority.ts";
import type { SimulationOptions } from "../simulation/simulation-options.ts";
import type { Api } from "./create-api.ts";
import { createApi } from "./create-api.ts";
import type { FaultRule } from "./faults.ts";
import type { LocalCluster, LocalClusterOptions } from "./local-cluster.ts";
import { makeKubeconfig } from "./make-kubeconfig.ts";
import { PausableListener } from "./pausable-listener.ts";
import { createRequestListener } from "./request-listener.ts";
import { createSystemClock } from "./system-clock.ts";

const hosts = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc", "127.0.0.1", "::1"];

/** Starts a cluster on loopback; it is ready when the promise resolves. */
export async function startLocalCluster(options: LocalClusterOptions = {}): Promise<LocalCluster> {
  // Clients check certificates by the machine's clock, whatever time the cluster has.
  const systemClock = createSystemClock();
  const authority = createCertificateAuthority("landscaper-local-cluster", () => systemClock.now());
  const tokens = new StaticTokens();
  const api = createApi({
    clock: options.clock ?? systemClock,
    tokens,
    caPem: authority.cert,
    authorization: options.authorization ?? "always-allow",
    onRefusal: options.onRefusal,
    simulateWorkloads: simulationOf(options),
  });
  const served: Served = { streams: new Set(), fault: undefined };
  const { cert, key } = authority.issue({ commonName: "kube-apiserver", hosts });
  const listener = await PausableListener.start(
    { certPem: cert, keyPem: key },
    options.port ?? 0,
    createRequestListener({
      handle: (request) => api.handle(request),
      authenticate: (token) => api.authenticate(token),
      impersonate: (user, headers) => api.impersonate(user, headers),
      findFault: () => served.fault,
      streams: served.streams,
    }),
  );
  api.setAddress(`127.0.0.1:${listener.port}`);
  return {
    ...describeAccess(tokens, `https://127.0.0.1:${listener.port}`, authority.cert),
    ...controls(api, listener, served),
  };
}

function simulationOf({ simulateWorkloads = false }: LocalClusterOptions): SimulationOptions | undefined {
  if (typeof simulateWorkloads === "object") return simulateWorkloads;
  return simulateWorkloads ? {} : undefined;
}

/** What the running server and its owner share. */
interface Served {
  /** Running watches, by the function that cuts them. */
  readonly streams: Set<() => void>;
  fault: FaultRule | undefined;
}

type Access = Pick<LocalCluster, "url" | "caPem" | "adminToken" | "kubeconfig" | "kubeconfigFor">;

function describeAccess(tokens: StaticTokens, server: string, caPem: string): Access {
  const issue = (user: User): string => {
    const token = randomBytes(24).toString("base64url");
    tokens.add(token, { ...user, groups: [...user.groups, "system:authenticated"] });
    return token;
  };
  const adminToken = issue({ name: "admin", groups: ["system:masters"] });
  return {
    url: server,
    caPem,
    adminToken,
    kubeconfig: makeKubeconfig({ server, caPem, user: "admin", token: adminToken }),
    kubeconfigFor: ({ name, groups = [] }) =>
      makeKubeconfig({ server, caPem, user: name, token: issue({ name, groups }) }),
  };
}

function controls(api: Api, listener: PausableListener, served: Served): Omit<LocalCluster, keyof Access> {
  return {
    setFault: (rule) => {
      served.fault = rule;
    },
    cutWatches: () => {
      for (const cut of served.streams) cut();
    },
    compact: () => api.context.store.compact(),
    pause: () => listener.pause(),
    resume: () => listener.resume(),
    stop: async () => {
      api.stop();
      await listener.pause();
    },
  };
}
