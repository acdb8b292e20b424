import { describe, expect, it } from "@jest/globals";
import {
  agentFinalizer,
  deployerManagementFinalizer,
  type Environment,
  type KubeObject,
  type Target,
} from "@landscaper/api";
import { createSealingKeys } from "@landscaper/deployer";
import { agentSettings } from "../test/agent-settings.ts";
import { buildEnvironment } from "./build-environment.ts";
import { buildAccessSecret, buildAccount, buildBinding, buildRole } from "./build-host-objects.ts";
import { decideAgent, type HostObjects } from "./decide-agent.ts";

const settings = agentSettings({ environment: "env" });
const { publicKey, privateKey } = createSealingKeys();
const issued = 1_780_000_000;
const nowMs = issued * 1000;
const halfMs = nowMs + 1_800_000;

function tokenOf(uid: string): string {
  const claims = { iat: issued, exp: issued + 3600, "kubernetes.io": { serviceaccount: { name: "a", uid } } };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
}

const built = buildAccount(settings);
const account = { ...built, metadata: { ...built.metadata, uid: "u" } };
const role = buildRole(settings);
const binding = buildBinding(settings);
const secret = buildAccessSecret(settings, { token: tokenOf("u"), privateKey });
const complete: HostObjects = { account, role, binding, secret };
const around = { hostTarget: undefined, hostCluster: "uid-1" };
const environment = buildEnvironment({ settings, hostCluster: "uid-1", sealingKey: publicKey }, undefined);

const deleted = (finalizers: string[]): Environment => ({
  ...environment,
  metadata: { ...environment.metadata, finalizers, deletionTimestamp: "2026-01-01T00:00:00Z" },
});
const unmarked = <T extends KubeObject>(object: T): T => ({ ...object, metadata: { ...object.metadata, labels: {} } });

describe("what an agent does next", () => {
  const spec = { ...environment.spec, namespace: "elsewhere" };
  const otherRole = { ...role, rules: [] };
  const otherSubject = { ...binding, subjects: [] };
  const otherReference = { ...binding, roleRef: { ...binding.roleRef, name: "view" } };
  const noFinalizer = { ...environment, metadata: { ...environment.metadata, finalizers: [] } };
  const moved = buildAccessSecret(
    { ...settings, host: { server: "https://old.example" } },
    { token: tokenOf("u"), privateKey },
  );
  const keyless = { ...secret, data: { kubeconfig: secret.data?.["kubeconfig"] ?? "" } };
  const renew = (of: typeof secret | undefined) => ({ kind: "write-access", secret: of });
  it.each<readonly [string, Environment | undefined, Partial<HostObjects>, object]>([
    ["makes the account first", undefined, { account: undefined, role: undefined }, { kind: "create-account" }],
    ["then its role", undefined, { role: undefined, binding: undefined }, { kind: "create-role" }],
    [
      "puts the role right",
      environment,
      { role: otherRole, binding: undefined },
      { kind: "update-role", role: { ...otherRole, rules: role.rules } },
    ],
    ["then the binding", undefined, { binding: undefined, secret: undefined }, { kind: "create-binding" }],
    ["puts the binding right", environment, { binding: otherSubject }, { kind: "update-binding", binding }],
    [
      "replaces a binding to another role",
      environment,
      { binding: otherReference },
      { kind: "delete", what: "binding", object: otherReference },
    ],
    ["then the Secret", undefined, { secret: undefined }, renew(undefined)],
    [
      "asks for a token when the account is another one",
      environment,
      { secret: buildAccessSecret(settings, { token: tokenOf("old"), privateKey }) },
      renew(buildAccessSecret(settings, { token: tokenOf("old"), privateKey })),
    ],
    ["writes the kubeconfig again when the host has another address", environment, { secret: moved }, renew(moved)],
    ["makes the Environment last", undefined, {}, { kind: "create-environment", environment }],
    [
      "makes a key for sealed tokens where an earlier release has made none",
      undefined,
      { secret: keyless },
      renew(keyless),
    ],
    [
      "publishes the key of the host",
      { ...environment, spec: { ...environment.spec, sealingKey: "old" } },
      {},
      { kind: "update-environment", environment },
    ],
    ["puts the Environment right", { ...environment, spec }, {}, { kind: "update-environment", environment }],
    ["marks an Environment that somebody else has made", noFinalizer, {}, { kind: "update-environment", environment }],
    ["looks again when half of the token's life is over", environment, {}, { kind: "keep", untilMs: halfMs }],
    [
      "keeps the access while deployers are uninstalled",
      deleted([agentFinalizer, deployerManagementFinalizer]),
      { secret: undefined },
      renew(undefined),
    ],
    [
      "writes nothing to an Environment that is being deleted",
      deleted([deployerManagementFinalizer]),
      {},
      { kind: "keep", untilMs: halfMs },
    ],
    [
      "takes the rights away when all deployers are uninstalled",
      deleted([agentFinalizer]),
      {},
      { kind: "delete", what: "binding", object: binding },
    ],
    [
      "then the role",
      deleted([agentFinalizer]),
      { binding: undefined },
      { kind: "delete", what: "role", object: role },
    ],
    [
      "then the Secret of the host",
      deleted([agentFinalizer]),
      { binding: undefined, role: undefined },
      { kind: "delete", what: "secret", object: secret },
    ],
    [
      "then the account",
      deleted([agentFinalizer]),
      { binding: undefined, role: undefined, secret: undefined },
      { kind: "delete", what: "account", object: account },
    ],
    [
      "deletes nothing of somebody else",
      deleted([agentFinalizer]),
      { account: unmarked(account), role: unmarked(role), binding: undefined, secret: unmarked(secret) },
      { kind: "gone" },
    ],
  ])("%s", (...[, found, host, want]) => {
    const observed = { ...around, environment: found, host: { ...complete, ...host } };
    expect(decideAgent(observed, settings, nowMs)).toEqual(want);
  });

  it("renews the token when half of its life is over", () => {
    expect(decideAgent({ ...around, environment, host: complete }, settings, halfMs)).toEqual(renew(secret));
  });

  it("keeps the access while the Target of the host waits for deployers, though the Environment has lost the finalizer for them", () => {
    const metadata = { name: "env", namespace: "ls-system", finalizers: [deployerManagementFinalizer] };
    const hostTarget: Target = {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata,
      spec: { type: "t" },
    };
    const observed = { ...around, hostTarget, environment: deleted([agentFinalizer]), host: complete };
    expect(decideAgent(observed, settings, nowMs)).toEqual({ kind: "keep", untilMs: halfMs });
  });

  it("changes the Environment when another cluster is its host, which has no deployers yet", () => {
    const observed = { ...around, hostCluster: "uid-2", environment, host: complete };
    const wanted = buildEnvironment({ settings, hostCluster: "uid-2", sealingKey: publicKey }, environment);
    expect(decideAgent(observed, settings, nowMs)).toEqual({ kind: "update-environment", environment: wanted });
    expect(wanted.spec.hostTarget).not.toEqual(environment.spec.hostTarget);
  });

  it("creates nothing if the Environment does not exist and the configuration has no namespaces", () => {
    const unnamed = { ...settings, namespaces: undefined };
    const decide = (found: Environment | undefined) =>
      decideAgent({ ...around, environment: found, host: complete }, unnamed, nowMs);
    expect(() => decide(undefined)).toThrow("Environment env does not exist, and its agent must not create it");
    const ofHub = { ...unnamed, hostIsLandscaperCluster: true };
    expect(() => decideAgent({ ...around, environment: undefined, host: complete }, ofHub, nowMs)).toThrow(
      "Environment env does not exist, and the configuration of its agent has no namespaces",
    );
    expect(decide(environment)).toEqual({ kind: "keep", untilMs: halfMs });
  });

  it.each<readonly [Partial<HostObjects>, string]>([
    [{ account: unmarked(account) }, "ServiceAccount deployer-env in namespace deployers"],
    [{ role: unmarked(role) }, "ClusterRole landscaper:agent:deployer:env"],
    [{ secret: unmarked(secret) }, "Secret env-target-access in namespace deployers"],
  ])("touches no object of the host that somebody else has made: %#", (host, name) => {
    const decide = () => decideAgent({ ...around, environment, host: { ...complete, ...host } }, settings, nowMs);
    expect(decide).toThrow(
      `${name} of the host exists already and was not made by the agent of Environment env: it is left alone`,
    );
  });
});
