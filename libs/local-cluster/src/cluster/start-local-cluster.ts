import { randomBytes } from "node:crypto";
import { StaticTokens } from "../auth/tokens.ts";
import type { User } from "../auth/user.ts";
import type { Certificate } from "../certificates/issue-certificate.ts";
import { issueCertificate } from "../certificates/issue-certificate.ts";
import type { HttpsListener } from "../http/https-server.ts";
import { listenHttps } from "../http/https-server.ts";
import type { FaultRule } from "./faults.ts";
import { createApi } from "./create-api.ts";
import type { ClusterClock, LocalCluster, LocalClusterOptions } from "./local-cluster.ts";
import { makeKubeconfig } from "./make-kubeconfig.ts";
import { createRequestListener } from "./request-listener.ts";
import { createSystemClock } from "./system-clock.ts";

/** Starts a cluster on loopback; it is ready when the promise resolves. */
export async function startLocalCluster(options: LocalClusterOptions = {}): Promise<LocalCluster> {
  const clock = options.clock ?? createSystemClock();
  const tokens = new StaticTokens();
  const authority = issueCertificate({ commonName: "landscaper-local-cluster", now: clock.now() });
  const api = createApi({
    clock,
    tokens,
    caPem: authority.pem,
    authorization: options.authorization ?? "always-allow",
  });
  const streams = new Set<() => void>();
  let fault: FaultRule | undefined;
  const listen = createRequestListener({
    handle: (request) => api.handle(request),
    authenticate: (token) => api.authenticate(token),
    findFault: () => fault,
    streams,
  });
  const tls = issueServingCertificate(authority, clock);
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
    caPem: authority.pem,
    adminToken,
    kubeconfig: makeKubeconfig({ server, caPem: authority.pem, user: "admin", token: adminToken }),
    kubeconfigFor: ({ name, groups = [] }) =>
      makeKubeconfig({ server, caPem: authority.pem, user: name, token: issue({ name, groups }) }),
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

function issueServingCertificate(
  issuer: Certificate,
  clock: ClusterClock,
): { readonly certPem: string; readonly keyPem: string } {
  const { pem, keyPem } = issueCertificate({
    commonName: "kube-apiserver",
    issuer,
    dnsNames: ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"],
    ipAddresses: [Buffer.from([127, 0, 0, 1]), Buffer.concat([Buffer.alloc(15), Buffer.from([1])])],
    now: clock.now(),
  });
  return { certPem: pem, keyPem };
}
