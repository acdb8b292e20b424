import { describe, expect, it } from "@jest/globals";
import {
  apiVersion,
  finalizer,
  labels,
  type DeployItem,
  type Execution,
  type Installation,
  type KubeObject,
  type Target,
} from "@landscaper/api";
import type { IndexFunctions } from "@landscaper/controller-runtime";
import { fixedLister } from "../../test/listers.ts";
import { deployItemIndexes } from "../execution/deploy-item-index.ts";
import { installationIndexes } from "../installation/imports/siblings.ts";
import { targetSecretIndexes, userIndexes } from "../protection/used-objects.ts";
import { createLostAccess, type AccessInformers } from "./lost-access.ts";

const namespace = "ns";
const deletionTimestamp = "2026-01-01T00:00:00Z";
const owner = (kind: string, name: string) => ({ apiVersion, kind, name, uid: name, controller: true });

const installationOf = (name: string, parent?: string): Installation => ({
  apiVersion,
  kind: "Installation",
  metadata: {
    name,
    namespace,
    uid: name,
    deletionTimestamp,
    ...(parent === undefined ? {} : { ownerReferences: [owner("Installation", parent)] }),
  },
  spec: { blueprint: {} },
});
const executionOf = (name: string): Execution => ({
  apiVersion,
  kind: "Execution",
  metadata: { name, namespace, uid: `${name}-execution`, ownerReferences: [owner("Installation", name)] },
  spec: {},
  status: { deployItemCache: { activeDIs: ["a", "b"].map((item) => ({ objectName: item, specName: item })) } },
});
const itemOf = (name: string, execution: string, { target = "target", reason = "NoTargetFound" } = {}): DeployItem => ({
  apiVersion,
  kind: "DeployItem",
  metadata: {
    name,
    namespace,
    uid: name,
    deletionTimestamp,
    finalizers: [finalizer],
    labels: { [labels.managedName]: name, [labels.managedBy]: execution },
    ownerReferences: [{ ...owner("Execution", execution), uid: `${execution}-execution` }],
  },
  spec: { type: "test/item", target: { name: target, namespace } },
  status: {
    phase: "DeleteFailed",
    lastError: { reason, operation: "o", message: "m", lastTransitionTime: "", lastUpdateTime: "" },
  },
});
const targetOf = (name: string, uid = name, secret?: string): Target => ({
  apiVersion,
  kind: "Target",
  metadata: { name, namespace, uid, generation: 1 },
  spec: { type: "t", ...(secret === undefined ? {} : { secretRef: { name: secret, key: "k" } }) },
});
const secretOf = (name: string, resourceVersion: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace, uid: name, resourceVersion },
});

interface World {
  installations: Installation[];
  executions: Execution[];
  deployItems: DeployItem[];
  targets: Target[];
  secrets: KubeObject[];
}

/** What the core knows at each moment: tests change it. */
function open(given: Partial<World> = {}) {
  const root = installationOf("root");
  const world: World = {
    installations: [root],
    executions: [executionOf("root")],
    deployItems: [itemOf("a", "root")],
    targets: [],
    secrets: [],
    ...given,
  };
  const informerOf = <T extends KubeObject>(list: () => readonly T[], indexes: IndexFunctions<T> = {}) => ({
    get lister() {
      return fixedLister(list(), indexes);
    },
  });
  const informers = {
    installations: informerOf(() => world.installations, installationIndexes),
    executions: informerOf(() => world.executions),
    deployItems: informerOf(() => world.deployItems, { ...deployItemIndexes, ...userIndexes }),
    targets: informerOf(() => world.targets, targetSecretIndexes),
    contexts: informerOf<KubeObject>(() => []),
    secrets: informerOf(() => world.secrets),
  } as unknown as AccessInformers; // listers alone
  const starter = { kind: "Installation", object: root } as const;
  return { world, starter, access: createLostAccess(informers) };
}

describe("a failed deletion", () => {
  it("continues when its Target exists again, once", () => {
    const { world, starter, access } = open();
    access.noteStart(starter);
    expect(access.isBack(starter)).toBe(false);
    world.targets = [targetOf("target")];
    expect(access.isBack(starter)).toBe(true);
    access.noteStart(starter);
    expect(access.isBack(starter)).toBe(false);
    world.targets = [targetOf("target", "another")];
    expect(access.isBack(starter)).toBe(true);
  });

  it("continues when its Secret exists again", () => {
    const deployItems = [itemOf("a", "root", { reason: "TargetSecretMissing" })];
    const { world, starter, access } = open({ deployItems, targets: [targetOf("target", "t", "secret")] });
    access.noteStart(starter);
    expect(access.isBack(starter)).toBe(false);
    world.secrets = [secretOf("secret", "1")];
    expect(access.isBack(starter)).toBe(true);
  });

  it("continues when a Secret that lacked the key has changed", () => {
    const deployItems = [itemOf("a", "root", { reason: "TargetSecretMissing" })];
    const targets = [targetOf("target", "t", "secret")];
    const { world, starter, access } = open({ deployItems, targets, secrets: [secretOf("secret", "1")] });
    access.noteStart(starter);
    expect(access.isBack(starter)).toBe(false);
    world.secrets = [secretOf("secret", "2")];
    expect(access.isBack(starter)).toBe(true);
  });

  it("continues when all Targets of the tree exist", () => {
    const { world, starter, access } = open({
      installations: [installationOf("root"), installationOf("leaf", "root")],
      executions: [executionOf("root"), executionOf("leaf")],
      deployItems: [itemOf("a", "root"), itemOf("b", "leaf", { target: "other" })],
    });
    access.noteStart(starter);
    world.targets = [targetOf("target")];
    expect(access.isBack(starter)).toBe(false);
    world.targets = [targetOf("target"), targetOf("other")];
    expect(access.isBack(starter)).toBe(true);
  });

  it("continues once after a restart of the core", () => {
    const { starter, access } = open({ targets: [targetOf("target")] });
    expect(access.isBack(starter)).toBe(true);
    access.noteStart(starter);
    expect(access.isBack(starter)).toBe(false);
  });

  it("without Installation continues when its Target exists again", () => {
    const { world, access } = open({ installations: [] });
    const starter = { kind: "Execution", object: executionOf("root") } as const;
    access.noteStart(starter);
    expect(access.isBack(starter)).toBe(false);
    world.targets = [targetOf("target")];
    expect(access.isBack(starter)).toBe(true);
  });

  it("continues without the Secret of a new Target: the next job reports the Secret", () => {
    const { world, starter, access } = open();
    access.noteStart(starter);
    world.targets = [targetOf("target", "t", "secret")];
    expect(access.isBack(starter)).toBe(true);
  });

  it("of an item that no deployer picked up continues when its Target exists", () => {
    const { world, starter, access } = open({ deployItems: [itemOf("a", "root", { reason: "PickupTimeout" })] });
    access.noteStart(starter);
    world.targets = [targetOf("target")];
    expect(access.isBack(starter)).toBe(true);
  });

  it("with another reason waits for a trigger", () => {
    const { world, starter, access } = open({
      deployItems: [itemOf("a", "root", { reason: "Other" })],
      targets: [targetOf("target")],
    });
    access.noteStart(starter);
    world.targets = [targetOf("target", "another")];
    expect(access.isBack(starter)).toBe(false);
    access.forget("Installation", { namespace, name: "root" });
    expect(access.isBack(starter)).toBe(false);
  });

  it("of a ring of owners ends", () => {
    const { starter, access } = open({
      installations: [installationOf("root", "leaf"), installationOf("leaf", "root")],
    });
    expect(access.isBack(starter)).toBe(false);
  });
});

describe("an event of a Target or Secret", () => {
  it("wakes the roots whose items use it", () => {
    const { access } = open({
      installations: [installationOf("root"), installationOf("leaf", "root")],
      executions: [executionOf("leaf")],
      deployItems: [itemOf("a", "leaf"), itemOf("b", "leaf")],
      targets: [targetOf("target", "t", "secret")],
    });
    const woken = { installations: [{ namespace, name: "root" }], executions: [] };
    expect(access.wokenByTarget(targetOf("target"))).toEqual(woken);
    expect(access.wokenBySecret(secretOf("secret", "1"))).toEqual(woken);
    expect(access.wokenByTarget(targetOf("other"))).toEqual({ installations: [], executions: [] });
  });

  it("wakes Executions without Installation", () => {
    const { access } = open({ installations: [] });
    const woken = { installations: [], executions: [{ namespace, name: "root" }] };
    expect(access.wokenByTarget(targetOf("target"))).toEqual(woken);
  });
});
