// Edits for random writes of the kinds that Environment accounts may write.
import * as fc from "fast-check";
import {
  agentFinalizer,
  annotations,
  finalizer,
  labels,
  leaseHolderAnnotation,
  type KubeObject,
} from "@landscaper/api";
import { createSealingKeys } from "@landscaper/deployer";

/** A change of one field of an object. */
export type Edit = <T extends KubeObject>(object: T) => T;

export interface EditPools {
  readonly marks: readonly string[];
  readonly identities: readonly string[];
  /** References to objects that exist; the first is the owner of the permitted Secrets. */
  readonly owners: readonly NonNullable<KubeObject["metadata"]["ownerReferences"]>[number][];
  readonly namespaces: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Maximum number of edits of an object. A write with many edits breaks many rules at once, so it tests none of them. */
const maxEdits = 2;

/** Applies a random subset of at most `maxEdits` edits. */
export function someOf(edits: readonly Edit[]): fc.Arbitrary<Edit> {
  return fc.subarray([...edits], { maxLength: maxEdits }).map(
    (chosen): Edit =>
      (object) =>
        chosen.reduce((edited, edit) => edit(edited), object),
  );
}

/** Removes undefined fields, because JSON omits them. */
function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T; // the same keys
}

export const setMetadata =
  (metadata: Partial<KubeObject["metadata"]>): Edit =>
  (object) => ({ ...object, metadata: { ...object.metadata, ...metadata } });

/** Sets or removes (undefined) one annotation. */
export const setAnnotation =
  (key: string, value: string | undefined): Edit =>
  (object) => {
    const changed = { ...object.metadata.annotations, [key]: value } as Record<string, string>; // without undefined below
    return setMetadata({ annotations: present(changed) })(object);
  };

/** Merges fields into a top-level field that is an object. */
export const mergeField =
  (field: string, fields: Fields): Edit =>
  (object) => ({ ...object, [field]: present({ ...Object(Reflect.get(object, field)), ...fields }) });

export const setFields =
  (fields: Fields): Edit =>
  (object) =>
    present({ ...object, ...fields });

export function metadataEdits({ marks, identities, owners }: EditPools): readonly Edit[] {
  const [owner, ...others] = owners;
  const ownLabels: readonly Record<string, string>[] = [
    {},
    { [labels.planOf]: "mine" },
    { owner: "helm", name: "landscaper" },
  ];
  const lists =
    owner === undefined
      ? []
      : [
          [],
          [owner],
          [{ ...owner, controller: true }],
          [{ ...owner, blockOwnerDeletion: true }],
          [{ ...owner, controller: false, blockOwnerDeletion: false }],
          [{ ...owner, uid: "gone" }],
          ...others.flatMap((one) => [[one], [owner, one]]),
        ];
  const finalizers = [[], [finalizer], ["example.org/keep"], [finalizer, "example.org/keep"]];
  return [
    ...ownLabels.map((one) => setMetadata({ labels: one })),
    ...lists.map((ownerReferences) => setMetadata({ ownerReferences })),
    ...finalizers.map((one) => setMetadata({ finalizers: one })),
    ...marks.map((one) => setAnnotation(annotations.environments, one)),
    setAnnotation(annotations.environments, undefined),
    setAnnotation(annotations.sensitiveExports, "[]"),
    setAnnotation(annotations.operation, undefined),
    setAnnotation(annotations.operation, "reconcile"),
    setAnnotation("example.org/replicate-to", "*"),
    ...identities.map((one) => setAnnotation(leaseHolderAnnotation, one)),
  ];
}

export const secretEdits: readonly Edit[] = [
  setFields({ type: "helm.sh/release.v1" }),
  setFields({ immutable: true }),
  setFields({ immutable: false }),
];

export const itemEdits: readonly Edit[] = [
  mergeField("spec", { timeout: "1m" }),
  mergeField("spec", { type: "example.org/other" }),
];

export function statusEdits({ identities }: EditPools): readonly Edit[] {
  return [
    ...identities.map((identity) => mergeField("status", { deployer: { identity, name: "d", version: "v1" } })),
    mergeField("status", { deployer: undefined }),
    mergeField("status", { phase: "Failed" }),
    mergeField("status", { jobIDFinished: "one" }),
  ];
}

export function leaseEdits({ identities }: EditPools): readonly Edit[] {
  return [
    ...[...identities, "", undefined].map((holderIdentity) => mergeField("spec", { holderIdentity })),
    ...[15, 600, 601, 2_000_000_000].map((leaseDurationSeconds) => mergeField("spec", { leaseDurationSeconds })),
  ];
}

export function eventEdits({ identities, namespaces }: EditPools): readonly Edit[] {
  const controllers = ["git.example.org", "landscaper-core", "kubelet"];
  const kinds = ["Target", "Installation", "Pod"];
  return [
    ...kinds.map((kind) => mergeField("regarding", { kind })),
    ...namespaces.map((namespace) => mergeField("regarding", { namespace })),
    mergeField("regarding", { apiVersion: "v1" }),
    setFields({ related: { apiVersion: "v1", kind: "Pod", name: "p" } }),
    ...controllers.map((reportingController) => setFields({ reportingController })),
    ...identities.map((identity) => setFields({ reportingInstance: identity.split("/")[0] })),
  ];
}

/** Merges fields into a field of `spec` that is an object. */
const mergeSpec =
  (field: string, fields: Fields): Edit =>
  (object) =>
    mergeField("spec", {
      [field]: present({ ...Object(Reflect.get(Object(Reflect.get(object, "spec")), field)), ...fields }),
    })(object);

/** Edits of the Environment `own`. */
export function environmentEdits(own: string, other: string): readonly Edit[] {
  const annotated = (name: string, operator: string) => ({
    annotations: [{ key: annotations.environment, operator, ...(operator === "!" ? {} : { values: [name] }) }],
  });
  const named = (name: string) => ({ targets: [{ name, namespace: "" }] });
  const selectorLists = [
    [],
    [named(own)],
    [named(other)],
    [named(own), named(other)],
    [
      {
        targets: [
          { name: own, namespace: "" },
          { name: other, namespace: "" },
        ],
      },
    ],
    [annotated(own, "=")],
    [annotated(own, "in"), named(own)],
    [annotated(own, "!=")],
    [annotated(other, "==")],
    [annotated("", "!")],
    [{ ...named(own), ...annotated(other, "=") }],
    Array.from({ length: 16 }, () => named(own)),
    Array.from({ length: 17 }, () => named(own)),
  ];
  const namespaces = [["*"], ["team-a"], ["team-b"], ["team-a", "team-b"], ["team-a", "kube-system"], undefined];
  const secretRef = (name: string) => ({ kubeconfig: { secretRef: { name, namespace: "host", key: "kubeconfig" } } });
  return [
    ...namespaces.map((list) => mergeField("spec", { namespaces: list })),
    ...selectorLists.map((targetSelectors) => mergeField("spec", { targetSelectors })),
    ...["deployers", "kube-system", "A", "a/b"].map((namespace) => mergeField("spec", { namespace })),
    mergeField("spec", { sealingKey: createSealingKeys().publicKey }),
    ...[true, false].map((suspend) => mergeField("spec", { suspend })),
    mergeSpec("hostTarget", { type: "example.org/other" }),
    mergeSpec("hostTarget", { labels: { a: "b" } }),
    mergeSpec("hostTarget", { labels: {} }),
    mergeSpec("hostTarget", { annotations: { [annotations.environment]: other } }),
    mergeSpec("hostTarget", { annotations: { [annotations.environment]: own, a: "b" } }),
    mergeSpec("hostTarget", { secretRef: { name: "foreign", key: "kubeconfig" } }),
    mergeSpec("hostTarget", { config: secretRef(`${own}-target-access`) }),
    mergeSpec("hostTarget", { config: secretRef("foreign") }),
    mergeSpec("hostTarget", { config: { kubeconfig: "inline" } }),
    mergeSpec("hostTarget", { config: { ...secretRef(`${own}-target-access`), other: 1 } }),
    setMetadata({ finalizers: [agentFinalizer] }),
    (object) => setMetadata({ finalizers: [...(object.metadata.finalizers ?? []), agentFinalizer] })(object),
    (object) =>
      setMetadata({ finalizers: (object.metadata.finalizers ?? []).filter((one) => one !== agentFinalizer) })(object),
  ];
}
