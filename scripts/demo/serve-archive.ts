import { createReadStream, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { join } from "node:path";

/** A transport archive that can be read like a registry. */
export interface ServedArchive {
  /** `http://127.0.0.1:PORT/components`: the place of the components, for `baseUrl`. */
  readonly url: string;
  stop(): Promise<void>;
}

interface Artifact {
  readonly repository: string;
  readonly tag?: string;
  readonly digest: string;
  readonly mediaType?: string;
}

/** Serves the component versions of a folder in the common transport format on loopback, for reading only. */
export async function serveArchive(folder: string): Promise<ServedArchive> {
  // It was written by "landscaper component create".
  const index = JSON.parse(readFileSync(join(folder, "artifact-index.json"), "utf8")) as { artifacts: Artifact[] };
  const server = createServer((request, response) => answer(request.url ?? "", response, { folder, ...index }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return {
    url: `http://127.0.0.1:${address.port}/components`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const path = /^\/v2\/components\/(.+)\/(manifests|blobs|tags)\/([^/?]+)$/;
const digest = /^sha256:[0-9a-f]{64}$/;

function answer(
  url: string,
  response: ServerResponse,
  { folder, artifacts }: { readonly folder: string; readonly artifacts: readonly Artifact[] },
): void {
  const [, repository, kind, name = ""] = path.exec(decodeURI(url)) ?? [];
  const own = artifacts.filter((artifact) => artifact.repository === repository);
  if (kind === "tags") {
    const tags = own.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
    response.setHeader("Content-Type", "application/json").end(JSON.stringify({ name: repository, tags }));
    return;
  }
  const manifest = own.find((artifact) => artifact.tag === name || artifact.digest === name);
  const wanted = kind === "manifests" ? manifest?.digest : name;
  if (own.length === 0 || wanted === undefined || !digest.test(wanted)) {
    response.writeHead(404).end();
    return;
  }
  const type =
    kind === "manifests"
      ? (manifest?.mediaType ?? "application/vnd.oci.image.manifest.v1+json")
      : "application/octet-stream";
  response.setHeader("Content-Type", type).setHeader("Docker-Content-Digest", wanted);
  createReadStream(join(folder, "blobs", wanted.replace(":", ".")))
    .on("error", () => response.writeHead(404).end())
    .pipe(response);
}
