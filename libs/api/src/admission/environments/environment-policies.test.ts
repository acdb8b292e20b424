import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { agentEnvironmentRights, environmentCreationRights } from "../../rights/agent-rights.ts";
import { agentDeployerRights } from "../../rights/deployer-rights.ts";
import { deployerLeaseRules, deployerRules } from "../../rights/deployer-management-rights.ts";
import { policyRulesOf } from "../../rights/right.ts";
import type { PolicyRule } from "../../objects/foreign-kinds.ts";
import type { EnvironmentBound } from "./environment-bound.ts";
import { boundsRevision, environmentBounds } from "./environment-policies.ts";

const bounds = environmentBounds({ management: "ls-system", core: "landscaper-system", hubEnvironments: [] });

/** Admission operation of each RBAC verb that writes. */
const operations: Readonly<Record<string, EnvironmentBound["operations"][number]>> = {
  create: "CREATE",
  update: "UPDATE",
  patch: "UPDATE",
  delete: "DELETE",
  deletecollection: "DELETE",
};

/** Writes that the rules permit and no policy bounds, as "VERB RESOURCE". */
function unboundedWrites(rules: readonly PolicyRule[]): readonly string[] {
  return rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => {
        const isBounded = (verb: string): boolean =>
          bounds.some(
            (bound) =>
              bound.group === group &&
              bound.resources.includes(resource) &&
              bound.operations.some((operation) => operation === operations[verb]),
          );
        const writes = verbs.filter((verb) => verb === "*" || operations[verb] !== undefined);
        return writes.filter((verb) => !isBounded(verb)).map((verb) => `${verb} ${resource}.${group}`);
      }),
    ),
  );
}

describe("the bounds of Environment accounts", () => {
  it.each<[string, readonly PolicyRule[]]>([
    ["deployer", deployerRules],
    ["deployer in the namespace of the Leases", deployerLeaseRules],
    ["agent", policyRulesOf([...environmentCreationRights, ...agentEnvironmentRights("edge")])],
    ["agent in the namespace of deployer management", policyRulesOf(agentDeployerRights)],
  ])("cover every write that the rights of a %s permit", (_holder, rules) => {
    expect(unboundedWrites(rules)).toEqual([]);
  });

  it("have a revision for these rules: after a change, increase boundsRevision and update the digest here", () => {
    const digest = createHash("sha256").update(JSON.stringify(bounds)).digest("hex").slice(0, 16);
    expect({ [boundsRevision]: digest }).toEqual({ 2: "e2846ffa9a2514ea" });
  });

  it("list the writes of a right that no policy covers", () => {
    const rule = { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "patch", "*"] };
    expect(unboundedWrites([rule])).toEqual(["patch deployments.apps", "* deployments.apps"]);
  });
});
