import { describe, expect, it } from "@jest/globals";
import { annotations, apiVersion, type DeployItem } from "@landscaper/api";
import {
  deletionTimestamp,
  env,
  deleted,
  bindingOf,
  decide,
  nothing,
  withAgent,
  hostTarget,
  a,
  b,
  ofA,
  ofB,
  limited,
  listed,
  suspended,
  tooMany,
} from "../../test/observed-environments.ts";
import type { ObservedEnvironment } from "./observed-environment.ts";

describe("an Environment that is deleted", () => {
  it.each<[string, Partial<ObservedEnvironment>, unknown]>([
    [
      "needs no namespace",
      {
        environment: { ...limited("one"), metadata: env({ deletionTimestamp }).metadata },
        deployers: [ofA],
        missingNamespaces: ["one"],
      },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "removes all deployers although it is suspended",
      {
        environment: { ...suspended, metadata: env({ deletionTimestamp }).metadata },
        registrations: [a],
        deployers: [ofA],
      },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "removes all deployers",
      { environment: env({ deletionTimestamp }), registrations: [a, b], deployers: [ofA, ofB] },
      { ...withAgent, removals: ["delete a-env", "delete b-env"] },
    ],
    [
      "removes bindings that are left",
      { environment: env({ deletionTimestamp }), registrations: [a], bindings: [bindingOf("a")] },
      { ...nothing, stray: ["a-env"] },
    ],
    [
      "keeps its finalizer while its agent has a Role",
      { environment: env({ deletionTimestamp }), registrations: [a], agentSecrets: listed },
      nothing,
    ],
    [
      "reports no problem with Secrets",
      { environment: env({ deletionTimestamp }), deployers: [ofA], agentSecrets: tooMany },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "loses its finalizer when all deployers are uninstalled",
      { environment: env({ deletionTimestamp }), registrations: [a] },
      "release",
    ],
    [
      "keeps its host while there is something to uninstall",
      { environment: env({ deletionTimestamp }), deployers: [ofA], hostTarget },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "releases its host before its own finalizer",
      { environment: env({ deletionTimestamp }), hostTarget },
      { ...nothing, host: "released" },
    ],
  ])("%s", (_, observed, expected) => {
    expect(decide(observed)).toEqual(expected);
  });
});

describe("an Environment that is being deleted while only it serves DeployItems", () => {
  const item = (name: string, reason?: string): DeployItem => ({
    apiVersion,
    kind: "DeployItem",
    metadata: { namespace: "shop", name, uid: name },
    spec: { type: "test/one" },
    ...(reason === undefined
      ? {}
      : {
          status: {
            observedGeneration: 0,
            lastError: {
              operation: "o",
              reason,
              message: "m",
              lastTransitionTime: deletionTimestamp,
              lastUpdateTime: deletionTimestamp,
            },
          },
        }),
  });
  const deletedEnv = env({ deletionTimestamp });
  const abandonedEnv = env({ deletionTimestamp, annotations: { [annotations.abandonItems]: "env" } });
  const remainingItems = [item("web")];

  it.each<[string, Partial<ObservedEnvironment>, unknown]>([
    [
      "keeps its deployers and their rights",
      {
        environment: deletedEnv,
        registrations: [a, b],
        deployers: [ofA],
        bindings: [bindingOf("a")],
        hostTarget,
        remainingItems,
      },
      { ...withAgent, held: ["itemsRemain a"] },
    ],
    ["waits even without deployers", { environment: deletedEnv, remainingItems }, withAgent],
    [
      "uninstalls a deployer whose registration is deleted",
      { environment: deletedEnv, registrations: [deleted(a)], deployers: [ofA], remainingItems },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "uninstalls its deployers when no item is left",
      { environment: deletedEnv, registrations: [a], deployers: [ofA] },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "uninstalls its deployers when the items are abandoned, before it fails the items",
      { environment: abandonedEnv, registrations: [a], deployers: [ofA], remainingItems },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "does not count the name of another Environment",
      {
        environment: env({ deletionTimestamp, annotations: { [annotations.abandonItems]: "other" } }),
        registrations: [a],
        deployers: [ofA],
        remainingItems,
      },
      { ...withAgent, held: ["itemsRemain a"] },
    ],
    [
      "fails abandoned items when its deployers are uninstalled",
      { environment: abandonedEnv, remainingItems: [item("web", "PickupTimeout"), item("db", "EnvironmentRemoved")] },
      { ...nothing, abandoned: ["web"] },
    ],
    [
      "loses its finalizer when all items have failed",
      { environment: abandonedEnv, remainingItems: [item("db", "EnvironmentRemoved")] },
      "release",
    ],
  ])("%s", (_name, observed, want) => {
    expect(decide(observed)).toEqual(want);
  });
});
