import { createCertificateAuthority, makeKubeconfig } from "@landscaper/local-cluster";
import { json, startScriptedApiServer, status, type Answer, type RecordedRequest } from "./scripted-api-server.ts";

/** A cluster that the Gardener API knows. */
export interface TestShoot {
  readonly namespace: string;
  readonly name: string;
  readonly deletionTimestamp?: string;
  /** What a request for an admin kubeconfig yields; undefined: its API server is not there yet. */
  readonly kubeconfig?: string | undefined;
}

/** As much of the Gardener API as Landscaper uses: shoots and kubeconfigs for them, on loopback. */
export interface GardenerApi {
  /** For Landscaper. */
  readonly kubeconfig: string;
  /** "METHOD path" of every request, with the body of those that have one. */
  readonly requests: readonly string[];
  setShoots(shoots: readonly TestShoot[]): void;
  stop(): Promise<void>;
}

const base = "/apis/core.gardener.cloud/v1beta1";
const token = "gardener-token";

export async function startGardenerApi(): Promise<GardenerApi> {
  const authority = createCertificateAuthority("gardener-ca", Date.now);
  const tls = authority.issue({ commonName: "gardener", hosts: ["127.0.0.1", "localhost"] });
  const server = await startScriptedApiServer({ tls });
  let shoots: readonly TestShoot[] = [];
  server.setDefault((response, request) => {
    const isAllowed = request.headers.authorization === `Bearer ${token}`;
    return (isAllowed ? decideAnswer(request, shoots) : failure(401, "Unauthorized"))(response, request);
  });
  return {
    kubeconfig: makeKubeconfig({ server: server.url, caPem: authority.cert, user: "landscaper", token }),
    get requests() {
      return server.requests.map(describeRequest);
    },
    setShoots: (next) => {
      shoots = next;
    },
    stop: () => server.close(),
  };
}

function describeRequest({ method, path, query, body }: RecordedRequest): string {
  const parameters = new URLSearchParams(query).toString();
  return `${method} ${path}${parameters === "" ? "" : `?${parameters}`}${body === "" ? "" : ` ${body}`}`;
}

function failure(code: number, message: string): Answer {
  return status({ code, message });
}

function toObject({ namespace, name, deletionTimestamp }: TestShoot): Record<string, unknown> {
  const metadata = { namespace, name, uid: `uid-${name}`, resourceVersion: "1" };
  return {
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "Shoot",
    metadata: deletionTimestamp === undefined ? metadata : { ...metadata, deletionTimestamp },
  };
}

function decideAnswer({ method, path }: RecordedRequest, shoots: readonly TestShoot[]): Answer {
  const [, namespace, name, subresource] =
    /^\/namespaces\/([^/]+)\/shoots(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
      path.startsWith(base) ? path.slice(base.length) : "",
    ) ?? [];
  if (namespace === undefined) return failure(404, "the server could not find the requested resource");
  const inNamespace = shoots.filter((shoot) => shoot.namespace === namespace);
  if (name === undefined) {
    const items = inNamespace.map(toObject);
    const list = { apiVersion: "core.gardener.cloud/v1beta1", kind: "ShootList", metadata: { resourceVersion: "1" } };
    return json({ ...list, items });
  }
  const shoot = inNamespace.find((candidate) => candidate.name === name);
  if (shoot === undefined) return failure(404, `shoots.core.gardener.cloud "${name}" not found`);
  if (subresource === undefined) return json(toObject(shoot));
  if (method !== "POST" || subresource !== "adminkubeconfig") return failure(405, "method not allowed");
  if (shoot.kubeconfig === undefined) return failure(403, "the kubeconfig cannot be made yet");
  const answered = {
    apiVersion: "authentication.gardener.cloud/v1alpha1",
    kind: "AdminKubeconfigRequest",
    metadata: {},
    status: { kubeconfig: Buffer.from(shoot.kubeconfig).toString("base64") },
  };
  return json(answered, 201);
}
