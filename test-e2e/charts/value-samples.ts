import { isSchema, type Leaf, type Schema } from "./schema-leaves.ts";
import type { Values } from "./rendered-chart.ts";

/** What a value needs to be valid, where its type does not say it; by the end of its path. */
const samples: readonly (readonly [RegExp, unknown])[] = [
  [/\.leaseDuration$/, "21s"],
  [/\.verbosityLevel$/, "debug"],
  [/secretRef(\.name)?$/, "a-secret"],
  [/ignoreFields$/, [{ kind: "ConfigMap", jsonPointers: ["/data/a"] }]],
  [/jsonPointers$/, ["/data/a"]],
  [/oci\.secrets$/, { internal: { auths: { "registry.example.com": { auth: "dTpw" } } } }],
  [/tmpSizeLimit$/, "3Gi"],
  [/blueprintStore\.size$/, "300Mi"],
  [/(Timeout|longestRest|abandonedAfter|targetWait|startGrace|pickup|progressing|grace)$/, "7m"],
  [/resources\.(requests|limits)$/, { memory: "5Gi" }],
  [/nats\.url$/, "nats://nats.messaging:4222"],
  [/prometheusRule\.disabled$/, ["LandscaperDown"]],
  [/imagePullSecrets$/, [{ name: "pull" }]],
  [/tolerations\b.*\.operator$/, "Equal"],
  [/tolerations$/, [{ key: "dedicated", operator: "Exists" }]],
  [/operator$/, "exists"],
  [/^(cleanup\.)?resources$/, { limits: { memory: "5Gi" } }],
  [/^extraEnv$/, [{ name: "HTTPS_PROXY", value: "http://proxy.example.com" }]],
  [/^extraVolumes$/, [{ name: "certificates", secret: { secretName: "certificates" } }]],
  [/^extraVolumeMounts$/, [{ name: "certificates", mountPath: "/certificates" }]],
];

/** What else has to be set for a value to have an effect. */
const conditions: readonly (readonly [RegExp, Values])[] = [
  [/^hpa\.average/, { hpa: { maxReplicas: 3 } }],
  [/^podDisruptionBudget/, { replicaCount: 2 }],
  [/^(networkPolicy|serviceMonitor|prometheusRule|dashboard)\.(?!enabled)/, switchedOn()],
  [/^serviceAccount\.create/, { serviceAccount: { name: "deployer" } }],
];

function switchedOn(): Values {
  const names = ["networkPolicy", "serviceMonitor", "prometheusRule", "dashboard"];
  return Object.fromEntries(names.map((name) => [name, { enabled: true }]));
}

/** A valid value that is another one than the default. */
export function sampleOf(path: string, schema: Schema): unknown {
  const sample = samples.find(([pattern]) => pattern.test(path));
  if (sample !== undefined) return sample[1];
  const { enum: choices, anyOf, type, items, default: fallback, minimum, properties, additionalProperties } = schema;
  if (Array.isArray(choices)) return choices.find((choice) => choice !== fallback && choice !== "");
  if (Array.isArray(anyOf)) return sampleOf(path, anyOf[0] as Schema); // a schema has one form at least
  switch (Array.isArray(type) ? type[0] : type) {
    case "boolean":
      return fallback !== true;
    case "integer":
      return Math.max(Number(minimum ?? 0), Number(fallback ?? 0)) + 1;
    case "number":
      return Number(fallback ?? 0) / 2;
    case "array":
      return [isSchema(items) ? sampleOf(`${path}[]`, items) : "sample"];
    case "object": {
      const fields = isSchema(properties) ? Object.entries(properties) : [];
      if (fields.length > 0)
        return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(name, field as Schema)]));
      return { sample: isSchema(additionalProperties) ? sampleOf("sample", additionalProperties) : "value" };
    }
    default:
      return "sample";
  }
}

/** Values with the sample of a leaf, and the same without it. */
export interface LeafValues {
  readonly before: Values;
  readonly after: Values;
}

export function valuesOf({ path, schema, siblings, isRequired }: Leaf): LeafValues {
  const name = path.join(".");
  const condition = conditions.find(([pattern]) => pattern.test(name))?.[1] ?? {};
  const build = (withLeaf: boolean): Values => {
    const value = path.reduceRight<unknown>(
      (inner, step, index) => wrap(step, inner, { siblings: siblings[index] ?? [], path }),
      withLeaf ? sampleOf(name, schema) : undefined,
    );
    return merge(condition, isSchema(value) ? value : {});
  };
  // Without a required field there is no object at all.
  return { before: isRequired ? condition : build(false), after: build(true) };
}

interface Step {
  readonly siblings: readonly (readonly [string, Schema])[];
  readonly path: readonly string[];
}

function wrap(step: string, inner: unknown, { siblings, path }: Step): unknown {
  if (step === "[]") return inner === undefined ? undefined : [inner];
  const beside = siblings.map(
    ([name, schema]) => [name, sampleOf([...path.slice(0, -1), name].join("."), schema)] as const,
  );
  const all = inner === undefined ? beside : [...beside, [step, inner] as const];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

/** Objects are merged, everything else is replaced. */
export function merge(base: Values, over: Values): Values {
  const merged = Object.entries(over).map(([name, value]) => {
    const below = base[name];
    return [name, isSchema(below) && isSchema(value) ? merge(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}
