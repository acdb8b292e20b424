import { describe, expect, it } from "@jest/globals";
import { agentLeaseAnnotations, type Lease } from "@landscaper/api";
import { findRival } from "./find-rival.ts";

function leaseOf(holderIdentity: string, host: string | undefined): Lease {
  const annotations = host === undefined ? {} : { [agentLeaseAnnotations.host]: host };
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace: "ls-system", name: "landscaper-agent-env", annotations },
    spec: { holderIdentity },
  };
}

describe("another agent with the same name", () => {
  it.each<readonly [string, Lease | undefined]>([
    ["no Lease", undefined],
    ["one that nobody holds", leaseOf("", "other/ns")],
    ["one of a replica", leaseOf("agent-helm-deployer-env/pod", "uid/ns")],
    ["one that does not say where its holder is", leaseOf("somebody", undefined)],
  ])("is none: %s", (_, lease) => {
    expect(findRival(lease, "env", "uid/ns")).toBeUndefined();
  });

  it("is named, with what to do", () => {
    expect(findRival(leaseOf("agent-helm-deployer-env/pod", "uid/other"), "env", "uid/ns")).toBe(
      "another agent serves Environment env: agent-helm-deployer-env/pod of the cluster and namespace uid/other, this one is of uid/ns (give this agent another name, or end the other one; after that, the Lease ls-system/landscaper-agent-env on the landscaper cluster expires)",
    );
  });
});
