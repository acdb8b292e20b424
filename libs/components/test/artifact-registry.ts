// A registry on loopback that serves component versions, and what no healthy registry does.
import { digestOf } from "@landscaper/oci";
import { startScriptedRegistry, type Script, type ScriptedRegistry } from "@landscaper/oci/testing";
import type { TestArtifact } from "./index.ts";

/** Answers a request in place of the registry; true when it has. */
export type Interference = (...answer: Parameters<Script>) => boolean;

/** The repositories lie below any path of one part, such as `team`. */
export interface ArtifactRegistry extends ScriptedRegistry {
  /** Below `team`. */
  readonly context: { readonly type: string; readonly baseUrl: string };
  /** Serves these in place of the ones before. */
  setArtifacts(artifacts: readonly TestArtifact[]): void;
  /** Default: none. */
  setInterference(interference: Interference | undefined): void;
}

/** With `tls` it speaks https. PEM. */
export async function startArtifactRegistry(
  artifacts: readonly TestArtifact[],
  tls?: Parameters<typeof startScriptedRegistry>[1],
): Promise<ArtifactRegistry> {
  let bodies = bodiesOf(artifacts);
  let interference: Interference | undefined;
  const registry = await startScriptedRegistry((request, response, index) => {
    if (interference?.(request, response, index) === true) return;
    const found = bodies.get(request.url.replace(/^\/v2\/[^/]+\//, ""));
    response.writeHead(found === undefined ? 404 : 200, {
      "content-type": found?.type ?? "application/json",
      "content-length": found?.body.length ?? 0,
      ...(found !== undefined && request.url.includes("/manifests/")
        ? { "docker-content-digest": digestOf(found.body) }
        : {}),
    });
    response.end(request.method === "HEAD" ? undefined : found?.body);
  }, tls);
  return {
    ...registry,
    context: { type: "OCIRegistry", baseUrl: `${registry.origin}/team` },
    setArtifacts: (next) => {
      bodies = bodiesOf(next);
    },
    setInterference: (next) => {
      interference = next;
    },
  };
}

interface Body {
  readonly type: string;
  readonly body: Buffer;
}

function bodiesOf(artifacts: readonly TestArtifact[]): ReadonlyMap<string, Body> {
  const bodies = new Map<string, Body>();
  for (const { repository, tag = "", manifest, blobs } of artifacts) {
    const body = Buffer.from(JSON.stringify(manifest));
    const type = "application/vnd.oci.image.manifest.v1+json";
    for (const name of [tag, digestOf(body)]) bodies.set(`${repository}/manifests/${name}`, { type, body });
    for (const blob of blobs) {
      const content = Buffer.from(blob);
      bodies.set(`${repository}/blobs/${digestOf(content)}`, {
        type: "application/octet-stream",
        body: content,
      });
    }
  }
  return bodies;
}
