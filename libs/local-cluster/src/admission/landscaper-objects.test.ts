import type { UnstructuredObject } from "@landscaper/api";
import { generateAdmissionPolicies, generateCrds } from "@landscaper/api";
import { badObjects, goodObjects } from "@landscaper/api/testing";
import { describe, expect, it } from "@jest/globals";
import { parseCrd } from "../custom-resources/crd-fields.ts";
import { fieldAt } from "../objects/json.ts";
import { compileCrdSchema } from "../schema/compile-crd-schema.ts";
import type { CrdSchema } from "../schema/compile-crd-schema.ts";
import { validateCrd } from "../schema/crd/validate-crd.ts";
import { formatFieldErrors } from "../status/field-error.ts";
import { parseAdmissionPolicy } from "./admission-policy.ts";
import { compilePolicy } from "./compile-policy.ts";
import { createPolicyEvaluator } from "./policy-evaluator.ts";
import type { PolicyRequest } from "./policy-request.ts";

const unstructured = (objects: readonly object[]): UnstructuredObject[] =>
  JSON.parse(JSON.stringify(objects)) as UnstructuredObject[];

const crds = unstructured(generateCrds());
const generated = unstructured(generateAdmissionPolicies());
const policies = generated.filter(({ kind }) => kind === "ValidatingAdmissionPolicy");
const bindings = generated.filter(({ kind }) => kind === "ValidatingAdmissionPolicyBinding");

interface Kind {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly schema: CrdSchema;
}

const kinds = new Map(
  crds.map((crd): [string, Kind] => {
    const { names, versions, namespaced } = parseCrd(crd);
    const schema = compileCrdSchema(fieldAt(versions[0]?.raw, "schema", "openAPIV3Schema"));
    return [names.kind, { plural: names.plural, namespaced, schema }];
  }),
);

function kindOf(object: UnstructuredObject): Kind {
  const kind = kinds.get(object.kind);
  if (kind === undefined) {
    throw new Error(`no CRD for ${object.kind}`);
  }
  return kind;
}

/** As the API server sees it after generating the name, decoding and defaulting. */
function complete(object: UnstructuredObject): UnstructuredObject {
  const { schema, namespaced } = kindOf(object);
  const metadata = { name: `${object.metadata.generateName ?? ""}abcde`, ...object.metadata };
  const placed = { ...object, metadata: { ...metadata, ...(namespaced ? { namespace: "default" } : {}) } };
  return schema.applyDefaults(schema.decode(placed).object);
}

const evaluator = createPolicyEvaluator();

function refusalOf(object: UnstructuredObject, old: UnstructuredObject | undefined): string | undefined {
  const { plural, namespaced, schema } = kindOf(object);
  const name = object.metadata.name ?? "";
  const errors = schema.validate(object, old);
  if (errors.length > 0) {
    return `${object.kind}.landscaper.gardener.cloud "${name}" is invalid: ${formatFieldErrors(errors)}`;
  }
  const request: PolicyRequest = {
    operation: old === undefined ? "CREATE" : "UPDATE",
    group: "landscaper.gardener.cloud",
    version: "v1alpha1",
    kind: object.kind,
    resource: plural,
    subresource: "",
    namespace: namespaced ? "default" : "",
    name,
    user: { name: "admin", groups: ["system:masters"] },
    dryRun: false,
    object,
    oldObject: old,
  };
  return evaluator.evaluate({ policies, bindings, request }).denied?.message;
}

describe("the CRDs of Landscaper", () => {
  for (const crd of crds) {
    it(`are accepted: ${crd.metadata.name}`, () => {
      expect(validateCrd(crd)).toEqual([]);
    });
  }
});

describe("the admission policies of Landscaper", () => {
  for (const policy of policies) {
    it(`compile: ${policy.metadata.name}`, () => {
      const { matchConditions, variables, validations } = compilePolicy(parseAdmissionPolicy(policy));
      const messages = validations.flatMap(({ message }) => message ?? []);
      const all = [...matchConditions, ...variables.variables, ...validations, ...messages];
      expect(all.filter(({ problem }) => problem !== undefined)).toEqual([]);
    });
  }
});

describe("objects of Landscaper", () => {
  for (const { name, object } of goodObjects) {
    it(`are accepted: ${name}`, () => {
      const completed = complete(object);
      expect(refusalOf(completed, undefined)).toBeUndefined();
      expect(completed).toMatchObject({ ...object, metadata: object.metadata });
    });
  }

  for (const { name, object, before, message } of badObjects) {
    it(`are refused: ${name}`, () => {
      const old = before === undefined ? undefined : complete(before);
      expect(old === undefined ? undefined : refusalOf(old, undefined)).toBeUndefined();
      expect(refusalOf(complete(object), old)).toBe(message);
    });
  }
});
