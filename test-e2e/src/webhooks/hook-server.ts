import type { ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificateAuthority } from "@landscaper/local-cluster";

export type Fields = Readonly<Record<string, unknown>>;

export interface Review {
  readonly request: Fields & {
    readonly uid: string;
    readonly object: { readonly metadata: Fields; readonly data?: Fields };
  };
}

/** A server of admission webhooks on loopback. Each test sets its answers. */
export interface HookServer {
  readonly url: string;
  readonly caBundle: string;
  readonly seen: Review[];
  answer: (path: string, review: Review) => Fields;
  /** If set, writes the whole HTTP response; `answer` is not called. */
  respond: ((review: Review, response: ServerResponse) => void) | undefined;
  stop(): Promise<void>;
}

export interface HookCredentials {
  /** Certificate of the server, PEM. */
  readonly cert: string;
  readonly key: string;
  /** Certificate of the authority, PEM. */
  readonly authority: string;
}

function issueCredentials(): HookCredentials {
  const authority = createCertificateAuthority("webhooks", () => Date.now());
  const issued = authority.issue({ commonName: "webhook", hosts: ["127.0.0.1", "localhost"] });
  return { ...issued, authority: authority.cert };
}

/** Starts a server with these credentials; by default with new ones. */
export async function startHookServer(credentials = issueCredentials()): Promise<HookServer> {
  const { cert, key, authority } = credentials;
  const hooks: { seen: Review[] } & Pick<HookServer, "answer" | "respond"> = {
    seen: [],
    answer: () => ({ allowed: true }),
    respond: undefined,
  };
  const server: Server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as Review; // as the API server writes it
      hooks.seen.push(review);
      if (hooks.respond !== undefined) {
        hooks.respond(review, response);
        return;
      }
      const { uid } = review.request;
      const path = (request.url ?? "").replace(/\?.*/, "");
      const answer = {
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: { uid, ...hooks.answer(path, review) },
      };
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return Object.assign(hooks, {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(authority).toString("base64"),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** Returns the fields of an AdmissionResponse with a JSON patch. */
export const patchOf = (...operations: readonly object[]): Fields => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
});
