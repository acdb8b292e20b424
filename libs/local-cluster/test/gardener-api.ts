import type { IncomingMessage, ServerResponse } from "node:http";
import { createCertificateAuthority } from "../src/certificates/certificate-authority.ts";
import { makeKubeconfig } from "../src/cluster/make-kubeconfig.ts";
import { listenHttps } from "../src/http/https-server.ts";

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

interface Answer {
  readonly code: number;
  readonly body: unknown;
}

export async function startGardenerApi(): Promise<GardenerApi> {
  const authority = createCertificateAuthority("gardener-ca", Date.now);
  const { cert, key } = authority.issue({ commonName: "gardener", hosts: ["127.0.0.1", "localhost"] });
  const requests: string[] = [];
  let shoots: readonly TestShoot[] = [];
  const listener = await listenHttps({ certPem: cert, keyPem: key }, 0, (request, response) => {
    void answerRequest(request, response, (body) => {
      requests.push([request.method, request.url, body].filter((part) => part !== "").join(" "));
      if (request.headers.authorization !== `Bearer ${token}`) return failure(401, "Unauthorized");
      return answer(request, shoots);
    });
  });
  const server = `https://127.0.0.1:${listener.port}`;
  return {
    kubeconfig: makeKubeconfig({ server, caPem: authority.cert, user: "landscaper", token }),
    requests,
    setShoots: (next) => {
      shoots = next;
    },
    stop: () => listener.close(),
  };
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  decide: (body: string) => Answer,
): Promise<void> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { code, body: answered } = decide(body);
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(answered));
}

function failure(code: number, message: string): Answer {
  return { code, body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, code } };
}

function toObject({ namespace, name, deletionTimestamp }: TestShoot): Record<string, unknown> {
  const metadata = { namespace, name, uid: `uid-${name}`, resourceVersion: "1" };
  return {
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "Shoot",
    metadata: deletionTimestamp === undefined ? metadata : { ...metadata, deletionTimestamp },
  };
}

function answer({ method, url = "" }: IncomingMessage, shoots: readonly TestShoot[]): Answer {
  const path = url.split("?")[0] ?? "";
  const [, namespace, name, subresource] =
    /^\/namespaces\/([^/]+)\/shoots(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
      path.startsWith(base) ? path.slice(base.length) : "",
    ) ?? [];
  if (namespace === undefined) return failure(404, "the server could not find the requested resource");
  const inNamespace = shoots.filter((shoot) => shoot.namespace === namespace);
  if (name === undefined) {
    const items = inNamespace.map(toObject);
    const list = { apiVersion: "core.gardener.cloud/v1beta1", kind: "ShootList", metadata: { resourceVersion: "1" } };
    return { code: 200, body: { ...list, items } };
  }
  const shoot = inNamespace.find((candidate) => candidate.name === name);
  if (shoot === undefined) return failure(404, `shoots.core.gardener.cloud "${name}" not found`);
  if (subresource === undefined) return { code: 200, body: toObject(shoot) };
  if (method !== "POST" || subresource !== "adminkubeconfig") return failure(405, "method not allowed");
  if (shoot.kubeconfig === undefined) return failure(403, "the kubeconfig cannot be made yet");
  return {
    code: 201,
    body: {
      apiVersion: "authentication.gardener.cloud/v1alpha1",
      kind: "AdminKubeconfigRequest",
      metadata: {},
      status: { kubeconfig: Buffer.from(shoot.kubeconfig).toString("base64") },
    },
  };
}
