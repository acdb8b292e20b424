import type { Static } from "typebox";
import { defineKind } from "../objects/kind-definition.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { anyObject, list, object, optional, text, time, withoutEffect } from "../schema/schema-fields.ts";

export const criticalProblemsSpecSchema = object(
  {
    criticalProblem: optional(
      list(
        object(
          {
            podName: optional(text("Pod that had the problem.")),
            creationTime: optional(time("When it happened.")),
            description: optional(text("For people.")),
          },
          "A problem.",
        ),
        "Problems, at most 10.",
      ),
    ),
  },
  "Problems that an operator should look at.",
);
export type CriticalProblemsSpec = Static<typeof criticalProblemsSpecSchema>;

export interface CriticalProblems extends KubeObject {
  spec: CriticalProblemsSpec;
  status?: Record<string, unknown>;
}

export const criticalProblemsKind = defineKind<CriticalProblems>({
  kind: "CriticalProblems",
  plural: "criticalproblems",
  singular: "criticalproblems",
  shortNames: ["cps"],
  description: "Problems of the Landscaper itself.",
  columns: [],
  hasStatusSubresource: true,
  fields: {
    spec: criticalProblemsSpecSchema,
    status: optional(withoutEffect(anyObject("Not used."), "a list of problems has no state")),
  },
});
