import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listAt, stringAt } from "../../src/objects/json.ts";
import type { Send } from "./run-sample.ts";

const file = join(import.meta.dirname, "../../testdata/served-kinds.json");

/** Kinds by group and version. */
export type ServedKinds = Readonly<Record<string, readonly string[]>>;

/** Reads the discovery of a server. Leaves out subresources, and custom resources, whose groups others define. */
export async function listServedKinds(send: Send): Promise<ServedKinds> {
  const { body } = await send("GET", "/apis");
  const groups = listAt(body, "groups").flatMap((group) =>
    listAt(group, "versions").map((version) => stringAt(version, "groupVersion")),
  );
  const served: Record<string, readonly string[]> = {};
  for (const groupVersion of ["v1", ...groups.toSorted()]) {
    if (isCustom(groupVersion)) continue;
    const path = groupVersion.includes("/") ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    const resources = listAt((await send("GET", path)).body, "resources");
    const kinds = resources.filter((resource) => !stringAt(resource, "name").includes("/"));
    served[groupVersion] = [...new Set(kinds.map((resource) => stringAt(resource, "kind")))].toSorted();
  }
  return served;
}

/** Groups of Kubernetes itself have no domain, or one of k8s.io. */
function isCustom(groupVersion: string): boolean {
  const [group = "", version] = groupVersion.split("/");
  return version !== undefined && group.includes(".") && !group.endsWith(".k8s.io");
}

/** Kinds that the recorded server serves, and this one does not. */
export function missingKinds(recorded: ServedKinds, served: ServedKinds): ServedKinds {
  const missing = Object.entries(recorded).map(([groupVersion, kinds]) => {
    const known = served[groupVersion] ?? [];
    return [groupVersion, kinds.filter((kind) => !known.includes(kind))] as const;
  });
  return Object.fromEntries(missing.filter(([, kinds]) => kinds.length > 0));
}

export function readServedKinds(): ServedKinds {
  return JSON.parse(readFileSync(file, "utf8")) as ServedKinds; // written below
}

export function writeServedKinds(kinds: ServedKinds): void {
  const lines = Object.entries(kinds).map(([key, value]) => ` ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}
