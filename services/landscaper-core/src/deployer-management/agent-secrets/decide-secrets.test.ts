import { describe, expect, it } from "@jest/globals";
import { apiVersion, type DeployItem, type Role, type RoleBinding } from "@landscaper/api";
import { environment, managementSettings } from "../../../test/deployer-management.ts";
import { nothingToRead } from "../../../test/observed-deployers.ts";
import { decideSecrets, omittedSecretsError } from "./decide-secrets.ts";
import { maxListedSecrets } from "./list-secrets.ts";

const owner = { environment: "env", isNeeded: true, settings: managementSettings };
const metadata = {
  name: "landscaper:agent:secrets:env",
  namespace: "ls-system",
  labels: { "deployers.landscaper.gardener.cloud/environment": "env" },
};
const version = "rbac.authorization.k8s.io/v1";
const binding: RoleBinding = {
  apiVersion: version,
  kind: "RoleBinding",
  metadata,
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "landscaper:agent:secrets:env" },
  subjects: [{ kind: "ServiceAccount", name: "landscaper-agent-env", namespace: "ls-system" }],
};
const roleWith = (rules: Role["rules"] & object): Role => ({ apiVersion: version, kind: "Role", metadata, rules });
const item = (name: string): DeployItem => ({
  apiVersion,
  kind: "DeployItem",
  metadata: { name },
  spec: { type: "t" },
});
const withItems = (...names: readonly string[]) => ({
  ...nothingToRead,
  sources: { ...nothingToRead.sources, items: names.map(item) },
});

describe("the Role with the Secrets of an agent", () => {
  it("lists them for the account of the agent", () => {
    expect(decideSecrets(withItems("web"), owner)).toEqual({
      kind: "keep",
      role: roleWith([
        { apiGroups: [""], resources: ["secrets"], resourceNames: ["web-export", "web-plan"], verbs: ["get"] },
      ]),
      binding,
      omitted: 0,
    });
  });

  it("has no rules without Secrets, because a rule without names is about all of them", () => {
    expect(decideSecrets(nothingToRead, owner)).toEqual({ kind: "keep", role: roleWith([]), binding, omitted: 0 });
  });

  it("is removed with its binding when the agent has no work", () => {
    const role = roleWith([]);
    const observed = { ...withItems("web"), role, binding };
    expect(decideSecrets(observed, { ...owner, isNeeded: false })).toEqual({ kind: "remove", role, binding });
  });

  it("lists as many as fit, and the error of the Environment has the number", () => {
    const names = Array.from({ length: maxListedSecrets / 2 + 1 }, (_, index) => `item-${index}`);
    const decision = decideSecrets(withItems(...names), owner);
    expect(decision).toMatchObject({ kind: "keep", omitted: 2 });
    const error = omittedSecretsError(environment("env"), 2);
    expect(error.message).toBe(
      "Environment env: its items and their Contexts and Targets name 4002 Secrets: Role landscaper:agent:secrets:env lists 4000 of them, the most that it can, and the agent cannot read the others",
    );
    expect(error.reason).toBe("AgentSecretsOmitted");
  });
});
