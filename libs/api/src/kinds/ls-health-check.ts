import type { Static } from "typebox";
import { column, defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { object, text, time } from "../schema/schema-fields.ts";

const healthCheckSchema = object(
  {
    status: text("Ok, Failed or Init."),
    lastUpdateTime: time("When it was checked last."),
    description: text("For people."),
  },
  "Health of the Landscaper.",
);

/** Its fields stand at the top level; `status` is a word, no object. */
export interface LsHealthCheck extends KubeObject, Static<typeof healthCheckSchema> {}

export const lsHealthCheckKind = defineKind<LsHealthCheck>({
  kind: "LsHealthCheck",
  plural: "lshealthchecks",
  singular: "lshealthcheck",
  shortNames: ["lshc"],
  description: "Health of the Landscaper's own deployments.",
  columns: [column("Status", ".status"), { name: "LastUpdateTime", type: "date", jsonPath: ".lastUpdateTime" }],
  fields: healthCheckSchema.properties,
});
