import { readFileSync } from "node:fs";
import type { UnstructuredObject } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { createPolicyEvaluator } from "./policy-evaluator.ts";
import type { PolicyDecision } from "./policy-evaluator.ts";
import type { PolicyRequest } from "./policy-request.ts";

type Content = Record<string, unknown> & { metadata?: Record<string, unknown> };

interface RecordedCase extends PolicyDecision {
  name: string;
  operation: "CREATE" | "UPDATE" | "DELETE";
  object?: Content;
  oldObject?: Content;
  plural?: "globals" | "configmaps";
  namespace?: string;
  subresource?: string;
  dryRun?: boolean;
}

interface RecordedPolicy {
  name: string;
  policy: UnstructuredObject;
  binding: UnstructuredObject;
  cases: RecordedCase[];
}

const recorded = JSON.parse(
  readFileSync(`${import.meta.dirname}/../../testdata/admission/policies.json`, "utf8"),
) as RecordedPolicy[];

const kinds = {
  things: { group: "policy.test", kind: "Thing", isNamespaced: true },
  globals: { group: "policy.test", kind: "Global", isNamespaced: false },
  configmaps: { group: "", kind: "ConfigMap", isNamespaced: true },
};

function toRequest(recordedCase: RecordedCase, name: string): PolicyRequest {
  const { plural = "things", subresource = "", namespace = "default", dryRun = false, operation } = recordedCase;
  const { group, kind, isNamespaced } = kinds[plural];
  const complete = (content: Content | undefined): UnstructuredObject | undefined =>
    content && {
      ...content,
      apiVersion: group === "" ? "v1" : `${group}/v1`,
      kind,
      metadata: { ...content.metadata, name, ...(isNamespaced ? { namespace } : {}) },
    };
  const object = subresource === "" ? recordedCase.object : { ...recordedCase.oldObject, ...recordedCase.object };
  const labels = namespace === "policy-a" ? { team: "a" } : { "kubernetes.io/metadata.name": namespace };
  return {
    operation,
    group,
    version: "v1",
    kind,
    resource: plural,
    subresource,
    namespace: isNamespaced ? namespace : "",
    name,
    user: { name: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] },
    dryRun,
    object: complete(operation === "DELETE" ? undefined : object),
    oldObject: complete(recordedCase.oldObject),
    namespaceObject: isNamespaced
      ? { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } }
      : undefined,
  };
}

describe("createPolicyEvaluator, as the API server", () => {
  const evaluator = createPolicyEvaluator();
  for (const { name: title, policy, binding, cases } of recorded) {
    for (const [index, recordedCase] of cases.entries()) {
      it(`${title}: ${recordedCase.name}`, () => {
        const request = toRequest(recordedCase, `o${index}`);
        const { denied, warnings } = recordedCase;
        expect(evaluator.evaluate({ policies: [policy], bindings: [binding], request })).toEqual(
          denied === undefined ? { warnings } : { denied, warnings },
        );
      });
    }
  }
});
