// A core that knows a registry, local repositories and a packed archive, for suites of components.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources, type Installation } from "@landscaper/api";
import { writeTransport, type TestArtifact, type TestComponent } from "@landscaper/components/testing";
import { writeLocalRepository } from "./component-landscape.ts";
import { createSentinel } from "../kits/sentinel.ts";
import type { TestNamespace } from "../namespaces/test-namespace.ts";

export async function statusesOf(scope: TestNamespace): Promise<Readonly<Record<string, unknown>>> {
  const items = await scope.list(resources.deployItem);
  return Object.fromEntries(
    items.map(({ metadata, status }) => [
      metadata.labels?.["execution.landscaper.gardener.cloud/name"] ?? metadata.name,
      status?.providerStatus,
    ]),
  );
}

/** The Installation once its running job has found the registry away; before that its default Context may be missing. */
export async function triedInstallation(scope: TestNamespace): Promise<Installation | undefined> {
  return await scope.until(
    resources.installation,
    "root",
    (object) => object?.status?.lastError?.reason === "RegistryUnreachable",
  );
}

export const user = "robot";
export const sentinel = createSentinel();

interface Given {
  /** Of the registry that the service has credentials for. */
  readonly host: string;
  readonly components: readonly TestComponent[];
  /** The same components. */
  readonly artifacts: readonly TestArtifact[];
}

/** A configuration with a folder of local repositories, credentials for one path of a registry, and caches of its own. */
export function configure(folder: string, { host, components, artifacts }: Given): Readonly<Record<string, unknown>> {
  const root = join(folder, "root");
  writeLocalRepository(join(root, "team"), components);
  const transport = join(folder, "transport");
  mkdirSync(transport);
  writeTransport(transport, artifacts);
  execFileSync("tar", ["-czf", join(root, "packed.tgz"), "-C", transport, "artifact-index.json", "blobs"]);
  symlinkSync(folder, join(root, "link"));
  const auth = Buffer.from(`${user}:${sentinel.value}`).toString("base64");
  const configFile = join(folder, "config.json");
  writeFileSync(configFile, JSON.stringify({ auths: { [`${host}/service`]: { auth } } }));
  return {
    apiVersion: "config.landscaper.gardener.cloud/v1alpha1",
    kind: "LandscaperConfiguration",
    registry: { local: { rootPath: root }, oci: { configFiles: [configFile], cache: { path: join(folder, "cache") } } },
    blueprintStore: { path: join(folder, "blueprints"), size: "10Mi" },
  };
}
