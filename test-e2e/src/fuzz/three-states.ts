import * as fc from "fast-check";

/** An object as it was applied, as it shall be and as it is, of one kind. */
export interface ThreeStatesCase {
  readonly apiVersion: string;
  readonly kind: string;
  readonly original: Record<string, unknown>;
  readonly modified: Record<string, unknown>;
  readonly current: Record<string, unknown>;
}

type Content = fc.Arbitrary<Record<string, unknown>>;

const names = ["a", "b", "c", "d"];
const text = fc.constantFrom("1", "2");
const texts = fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 4 });
const someNames = fc.shuffledSubarray(names);

/** A list of objects, each key at most once. */
function keyed<Key>(keys: readonly Key[], item: (key: Key) => Content): fc.Arbitrary<Record<string, unknown>[]> {
  return fc.shuffledSubarray([...keys]).chain((chosen) => fc.tuple(...chosen.map(item)));
}

function optional(
  required: Record<string, fc.Arbitrary<unknown>>,
  fields: Record<string, fc.Arbitrary<unknown>>,
): Content {
  return fc.record({ ...required, ...fields }, { requiredKeys: Object.keys(required) });
}

const metadata = optional(
  { name: fc.constant("name") },
  {
    labels: texts,
    annotations: texts,
    finalizers: someNames,
    ownerReferences: keyed(names, (uid) => fc.record({ uid: fc.constant(uid), name: text })),
  },
);
const ports = [80, 81, 82];
const variable = (name: string): Content =>
  fc.oneof(
    fc.record({ name: fc.constant(name), value: text }),
    fc.record({ name: fc.constant(name), valueFrom: fc.constant({ fieldRef: { fieldPath: "x" } }) }),
  );
const container = (name: string): Content =>
  optional(
    { name: fc.constant(name), image: text },
    {
      env: keyed(names, variable),
      ports: keyed(ports, (port) => fc.record({ containerPort: fc.constant(port), name: text })),
      args: someNames,
      volumeMounts: keyed(names, (path) => fc.record({ mountPath: fc.constant(path), name: text })),
      resources: fc.record({ limits: texts, requests: texts }),
    },
  );
const volume = (name: string): Content =>
  fc.oneof(
    fc.constant({ name, emptyDir: {} }),
    fc.record({ name: fc.constant(name), secret: fc.record({ secretName: text }) }),
    fc.record({
      name: fc.constant(name),
      configMap: fc.record({ name: text, items: fc.constant([{ key: "k", path: "p" }]) }),
    }),
  );
const named = keyed(names, (name) => fc.constant({ name }));
const podSpec = optional(
  { containers: keyed(names, container) },
  {
    volumes: keyed(names, volume),
    imagePullSecrets: named,
    nodeSelector: texts,
    tolerations: keyed(names, (key) => fc.record({ key: fc.constant(key), operator: text })),
  },
);
const strategy = fc.constantFrom({ type: "Recreate" }, { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } });
const anything: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<unknown>(1, "x", true, null, [1, 2], [{ name: "a" }]),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 3 }),
  ),
})).value;

const contents: Readonly<Record<string, readonly [apiVersion: string, content: Content]>> = {
  Deployment: [
    "apps/v1",
    optional(
      { metadata },
      { spec: optional({ template: fc.record({ metadata, spec: podSpec }) }, { strategy, replicas: fc.nat(2) }) },
    ),
  ],
  Pod: ["v1", fc.record({ metadata, spec: podSpec })],
  Service: [
    "v1",
    fc.record({
      metadata,
      spec: optional(
        { ports: keyed(ports, (port) => fc.record({ port: fc.constant(port), targetPort: text })) },
        { selector: texts, externalIPs: someNames },
      ),
    }),
  ],
  ServiceAccount: ["v1", optional({ metadata }, { secrets: named, imagePullSecrets: named })],
  ConfigMap: ["v1", optional({ metadata }, { data: texts })],
  PodDisruptionBudget: [
    "policy/v1",
    optional({ metadata }, { spec: optional({}, { selector: fc.record({ matchLabels: texts }) }) }),
  ],
  Example: ["example.org/v1", fc.record({ metadata, spec: anything })],
};

function statesOf(kind: string, [apiVersion, content]: readonly [string, Content]): fc.Arbitrary<ThreeStatesCase> {
  const whole = content.map((fields) => ({ apiVersion, kind, ...fields }));
  const live = fc.oneof(
    whole,
    fc.constantFrom("original", "modified").map((like) => ({ like })),
  );
  return fc.tuple(whole, whole, live).map(([original, modified, current]) => {
    const like = "like" in current ? (current.like === "original" ? original : modified) : undefined;
    // What the cluster adds.
    const actual = like === undefined ? current : { ...structuredClone(like), status: { phase: "x" } };
    return { apiVersion, kind, original, modified, current: actual };
  });
}

/** States of built-in kinds with lists that merge, and of one that is not built in. */
export const threeStatesCase: fc.Arbitrary<ThreeStatesCase> = fc.oneof(
  ...Object.entries(contents).map(([kind, content]) => statesOf(kind, content)),
);
