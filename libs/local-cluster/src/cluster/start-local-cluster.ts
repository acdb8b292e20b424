import { randomBytes } from "node:crypto";
import { StaticTokens } from "../auth/tokens.ts";
import type { User } from "../auth/user.ts";
import { createCertificateAuthority } from "../certificates/certificate-authority.ts";
import type { HttpsListener } from "../http/https-server.ts";
import { listenHttps } from "../http/https-server.ts";
import type { FaultRule } from "./faults.ts";
import { createApi } from "./create-api.ts";
import type { LocalCluster, LocalClusterOptions } from "./local-cluster.ts";
import { makeKubeconfig } from "./make-kubeconfig.ts";
import { createRequestListener } from "./request-listener.ts";
import { createSystemClock } from "./system-clock.ts";

/** Starts a cluster on loopback; it is ready when the promise resolves. */
export async function startLocalCluster(options: LocalClusterOptions = {}): Promise<LocalCluster> {
  // Clients check certificates by the machine's clock, whatever time the cluster has.
  const systemClock = createSystemClock();
  const clock = options.clock ?? systemClock;
  const tokens = new StaticTokens();
  const authority = createCertificateAuthority("landscaper-local-cluster", () => systemClock.now());
  const api = createApi({
    clock,
    tokens,
    caPem: authority.cert,
    authorization: options.authorization ?? "always-allow",
  });
  const streams = new Set<() => void>();
  let fault: FaultRule | undefined;
  const listen = createRequestListener({
    handle: (request) => api.handle(request),
    authenticate: (token) => api.authenticate(token),
    impersonate: (user, headers) => api.impersonate(user, headers),
    findFault: () => fault,
    streams,
  });
  const serving = authority.issue({
    commonName: "kube-apiserver",
    hosts: ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc", "127.0.0.1", "::1"],
  });
  const tls = { certPem: serving.cert, keyPem: serving.key };
  let listener: HttpsListener | undefined = await listenHttps(tls, options.port ?? 0, listen);
  const { port } = listener;
  const server = `https://127.0.0.1:${port}`;
  api.setAddress(`127.0.0.1:${port}`);
  const issue = (user: User): string => {
    const token = randomBytes(24).toString("base64url");
    tokens.add(token, { ...user, groups: [...user.groups, "system:authenticated"] });
    return token;
  };
  const adminToken = issue({ name: "admin", groups: ["system:masters"] });
  const closeListener = async (): Promise<void> => {
    const open = listener;
    listener = undefined;
    await open?.close();
  };
  return {
    url: server,
    caPem: authority.cert,
    adminToken,
    kubeconfig: makeKubeconfig({ server, caPem: authority.cert, user: "admin", token: adminToken }),
    kubeconfigFor: ({ name, groups = [] }) =>
      makeKubeconfig({ server, caPem: authority.cert, user: name, token: issue({ name, groups }) }),
    setFault: (rule) => {
      fault = rule;
    },
    cutWatches: () => {
      for (const cut of streams) cut();
    },
    compact: () => api.context.store.compact(),
    pause: closeListener,
    resume: async () => {
      listener ??= await listenHttps(tls, port, listen);
    },
    stop: async () => {
      api.stop();
      await closeListener();
    },
  };
}
