import { labels } from "../../src/objects/labels.ts";
import type { UnstructuredObject } from "../../src/objects/kube-object.ts";
import { denied, sample, type BadObject, type GoodObject } from "./sample-object.ts";

interface Broken {
  readonly kind: string;
  readonly plural: string;
  readonly spec: Record<string, unknown>;
  /** What the policy says of it. */
  readonly message: string;
}

/** An object of each kind with an admission policy that its policy refuses. */
const brokenObjects: readonly Broken[] = [
  {
    kind: "Installation",
    plural: "installations",
    spec: { blueprint: {}, exports: { data: [{ name: "", dataRef: "" }] } },
    message: "spec.blueprint: exactly one of inline and ref must be set",
  },
  {
    kind: "Execution",
    plural: "executions",
    spec: { deployItems: [{ name: "a", type: "", config: { apiVersion: "v1", kind: "Mock" } }] },
    message: "spec.deployItems[a]: type must be set",
  },
  { kind: "DeployItem", plural: "deployitems", spec: { type: "" }, message: "spec.type: must be set" },
  {
    kind: "Target",
    plural: "targets",
    spec: { type: "t", config: {}, secretRef: { name: "s" } },
    message: "spec: only one of config and secretRef may be set",
  },
];

function labelled({ kind, spec }: Broken, value?: string): UnstructuredObject {
  return sample(kind, { spec }, value === undefined ? {} : { labels: { [labels.skipValidation]: value } });
}

export const skippedObjects: readonly GoodObject[] = brokenObjects.map((broken) => ({
  name: `${broken.kind} that is bad and has the skip-validation label`,
  object: labelled(broken, "true"),
}));

export const notSkippedObjects: readonly BadObject[] = brokenObjects.flatMap((broken): BadObject[] => {
  const refusal = { code: 422, message: denied(broken.plural, "sample", broken.message) } as const;
  return [
    {
      name: `${broken.kind} that is bad and loses its skip-validation label`,
      before: labelled(broken, "true"),
      object: labelled(broken),
      ...refusal,
    },
    {
      name: `${broken.kind} that is bad and whose skip-validation label is "false"`,
      object: labelled(broken, "false"),
      ...refusal,
    },
  ];
});
