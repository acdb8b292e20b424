// A registry on loopback with the components and charts of the mistakes; some of its paths refuse or fail.
import { startArtifactRegistry, type ArtifactRegistry, type Interference } from "@landscaper/components/testing";
import { mistakeArtifacts } from "./mistake-artifacts.ts";

/** Status of every answer below a path of one part. */
const statuses: ReadonlyMap<string, number> = new Map([
  ["guarded", 401],
  ["forbidden", 403],
  ["failing", 503],
]);

const interfere: Interference = ({ url }, response) => {
  const [, path = ""] = /^\/v2\/([^/]+)\//.exec(url) ?? [];
  const status = statuses.get(path);
  if (status === undefined) return false;
  response.writeHead(status, {
    "content-type": "application/json",
    ...(status === 401 ? { "www-authenticate": 'Basic realm="registry"' } : {}),
  });
  response.end('{"errors":[]}');
  return true;
};

export async function startMistakeRegistry(): Promise<ArtifactRegistry> {
  const registry = await startArtifactRegistry(await mistakeArtifacts());
  registry.setInterference(interfere);
  return registry;
}
