import { createCelEnvironment } from "@landscaper/cel";
import type { Environment } from "@marcbachmann/cel-js";
import { SchemaTypes } from "../schema/schema-types.ts";
import type { CelType } from "../schema/schema-types.ts";
import { parseSchema } from "../schema/parse-schema.ts";

const text = { type: "string" };
const texts = { type: "array", items: text };
const textMap = { type: "object", additionalProperties: text };
const groupVersionKind = { type: "object", properties: { group: text, version: text, kind: text } };
const groupVersionResource = { type: "object", properties: { group: text, version: text, resource: text } };

/** Models apiserver/pkg/admission/plugin/cel/compile.go BuildRequestType. */
const requestSchema = parseSchema({
  type: "object",
  properties: {
    kind: groupVersionKind,
    resource: groupVersionResource,
    subResource: text,
    requestKind: groupVersionKind,
    requestResource: groupVersionResource,
    requestSubResource: text,
    name: text,
    namespace: text,
    operation: text,
    userInfo: {
      type: "object",
      properties: { username: text, uid: text, groups: texts, extra: { type: "object", additionalProperties: texts } },
    },
    dryRun: { type: "boolean" },
  },
});

const time = { type: "string", format: "date-time" };

/** Models BuildNamespaceType of the same file. */
const namespaceSchema = parseSchema({
  type: "object",
  properties: {
    metadata: {
      type: "object",
      properties: {
        name: text,
        generateName: text,
        namespace: text,
        labels: textMap,
        annotations: textMap,
        UID: text,
        creationTimestamp: time,
        deletionGracePeriodSeconds: { type: "integer" },
        deletionTimestamp: time,
        generation: { type: "integer" },
        resourceVersion: text,
        finalizers: texts,
      },
    },
    spec: { type: "object", properties: { finalizers: texts } },
    status: {
      type: "object",
      properties: {
        phase: text,
        conditions: {
          type: "array",
          items: {
            type: "object",
            properties: { status: text, type: text, lastTransitionTime: time, message: text, reason: text },
          },
        },
      },
    },
  },
});

/** The variables of expressions in policies. */
export interface PolicyEnvironment {
  readonly environment: Environment;
  readonly request: CelType;
  readonly namespace: CelType;
}

/** `object` and `oldObject` are dynamic: what they contain is only known at run time. */
export function createPolicyEnvironment(): PolicyEnvironment {
  const environment = createCelEnvironment();
  // The names of these fields stand as they are, `namespace` among them.
  const types = new SchemaTypes(environment, (name) => name);
  const dynamic: CelType = { name: "dyn", convert: (value) => value };
  const request = types.typeOf(requestSchema, "kubernetes.AdmissionRequest") ?? dynamic;
  const namespace = types.typeOf(namespaceSchema, "kubernetes.Namespace") ?? dynamic;
  environment
    .registerVariable("object", "dyn")
    .registerVariable("oldObject", "dyn")
    .registerVariable("request", request.name)
    .registerVariable("namespaceObject", namespace.name);
  return { environment, request, namespace };
}
