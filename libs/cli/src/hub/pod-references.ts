import type { UnstructuredObject } from "@landscaper/api";
import { isJsonObject } from "@landscaper/resources";

/** A Secret or ConfigMap that the Pods of a Deployment use. */
export interface PodReference {
  readonly kind: "Secret" | "ConfigMap";
  readonly name: string;
}

/** Fields of a Pod that name a Secret or ConfigMap, with the field that has the name. */
const namingFields: Readonly<Record<string, readonly [PodReference["kind"], "name" | "secretName"]>> = {
  secret: ["Secret", "secretName"],
  configMap: ["ConfigMap", "name"],
  secretKeyRef: ["Secret", "name"],
  configMapKeyRef: ["ConfigMap", "name"],
  secretRef: ["Secret", "name"],
  configMapRef: ["ConfigMap", "name"],
};

/** Returns what the Deployments use and the release does not contain, each once, sorted by name. */
export function outsideReferences(
  deployments: readonly UnstructuredObject[],
  release: readonly UnstructuredObject[],
): PodReference[] {
  const own = new Set(release.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const found = new Map<string, PodReference>();
  for (const reference of deployments.flatMap(({ spec }) => referencesIn(spec))) {
    const key = `${reference.kind}/${reference.name}`;
    if (!own.has(key)) found.set(key, reference);
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function referencesIn(value: unknown): PodReference[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([field, below]) => {
    if (field === "imagePullSecrets" && Array.isArray(below)) {
      return below.flatMap((each: unknown) => named("Secret", Reflect.get(Object(each), "name")));
    }
    const naming = namingFields[field];
    const direct = naming === undefined || !isJsonObject(below) ? [] : readName(naming, below);
    return [...direct, ...referencesIn(below)];
  });
}

/** A projected source of a volume has `name` where a volume of its own has `secretName`. */
function readName(
  [kind, field]: readonly [PodReference["kind"], string],
  below: Readonly<Record<string, unknown>>,
): PodReference[] {
  return named(kind, below[field] ?? below["name"]);
}

function named(kind: PodReference["kind"], name: unknown): PodReference[] {
  return typeof name === "string" && name !== "" ? [{ kind, name }] : [];
}
