// What becomes of the audit log of the API server: refusals fail a suite, uses of rights are compared with the rules.
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { serviceRightsFiles, type RightsFile } from "@landscaper/api";
import { describeRefusals, followAuditLog, noteUses, readAuditEvent, useOf } from "../../src/clusters/access-log.ts";
import { roleNameOf } from "../../src/clusters/service-accounts.ts";
import { findUnusedRights, readUses } from "../../src/clusters/unused-rights.ts";

const reason =
  'RBAC: allowed by ClusterRoleBinding "helm-deployer.landscaper-cluster.helm-deployer" of ClusterRole "helm-deployer.landscaper-cluster" to ServiceAccount "helm-deployer/landscaper-e2e"';

function event(decision: "allow" | "forbid", verb: string, subresource?: string): string {
  return JSON.stringify({
    kind: "Event",
    level: "Metadata",
    stage: "ResponseComplete",
    verb,
    user: { username: "system:serviceaccount:landscaper-e2e:helm-deployer" },
    objectRef: { resource: "deployitems", namespace: "shop", apiGroup: "landscaper.gardener.cloud", subresource },
    annotations: {
      "authorization.k8s.io/decision": decision,
      "authorization.k8s.io/reason": decision === "allow" ? reason : "",
    },
  });
}

describe("the log of what the services may do", () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "access-log-"));
    file = join(folder, "audit.log");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("reads account, verb, resource with subresource, and the role that allowed it", () => {
    expect(readAuditEvent(event("allow", "update", "status"))).toEqual({
      account: "helm-deployer",
      verb: "update",
      group: "landscaper.gardener.cloud",
      resource: "deployitems/status",
      namespace: "shop",
      isAllowed: true,
      role: "helm-deployer.landscaper-cluster",
    });
  });

  it("passes over requests for paths, such as discovery", () => {
    expect(readAuditEvent(JSON.stringify({ verb: "get", requestURI: "/apis" }))).toBeUndefined();
  });

  it("yields each refusal once, also of a line that was written in two parts", () => {
    appendFileSync(file, `${event("allow", "get")}\n${event("forbid", "delete")}\n`);
    const log = followAuditLog(file, { usage: false });
    const expected = ["helm-deployer may not delete deployitems (landscaper.gardener.cloud) in namespace shop"];
    expect(describeRefusals(log.take())).toEqual(expected);
    const line = `${event("forbid", "create")}\n`;
    appendFileSync(file, line.slice(0, 50));
    expect(log.take()).toEqual([]);
    appendFileSync(file, line.slice(50));
    expect(log.take().map(({ verb }) => verb)).toEqual(["create"]);
  });

  it("finds the pairs of verb and resource that nothing has used", () => {
    const rights: RightsFile = {
      path: "k8s/charts/helm-deployer/rules/landscaper-cluster.yaml",
      scope: "cluster",
      holder: "helm-deployer",
      where: "",
      rights: [
        { group: "landscaper.gardener.cloud", resources: ["deployitems"], verbs: ["get", "list"], why: "" },
        // What is held to be granted to others is not used.
        { group: "coordination.k8s.io", resources: ["leases"], verbs: ["get"], isPassedOn: true, why: "" },
      ],
    };
    const accesses = [event("allow", "get"), event("forbid", "list")].map(readAuditEvent);
    noteUses(
      accesses.filter((access) => access !== undefined),
      folder,
    );
    expect(findUnusedRights(readUses(folder), [rights])).toEqual([
      `${rights.path}: nothing has used "list" on deployitems`,
    ]);
  });

  it("takes what the helm deployer has used for used by the agent, which has one", () => {
    const right = { group: "landscaper.gardener.cloud", resources: ["deployitems"], why: "" };
    const rights: RightsFile = {
      path: "k8s/charts/landscaper-agent/rules/landscaper-namespace.yaml",
      scope: "namespace",
      holder: "landscaper-agent",
      where: "",
      rights: [{ ...right, verbs: ["get", "list"] }],
    };
    const use = { verb: "get", group: right.group, resource: "deployitems" };
    const uses = new Set([useOf({ role: "helm-deployer.landscaper-cluster", ...use })]);
    expect(findUnusedRights(uses, [rights])).toEqual([`${rights.path}: nothing has used "list" on deployitems`]);
  });

  it("tells apart the roles of all files of rules", () => {
    const names = serviceRightsFiles.map(roleNameOf);
    expect(new Set(names).size).toBe(names.length);
  });
});
