import { describe, expect, it } from "@jest/globals";
import { deployerManagementFinalizer } from "@landscaper/api";
import { observedDeployer as deployer, observedItem as item } from "../../test/observed-deployers.ts";
import { decideRemovals } from "./decide-removals.ts";
import type { ObservedDeployer } from "./observed-environment.ts";

const stepsOf = (deployers: readonly ObservedDeployer[]): Record<string, string> =>
  Object.fromEntries(decideRemovals(deployers).map((removal) => [removal.deployer.names.registration, removal.step]));

const helm = deployer({ registration: "helm", provides: ["helm"], items: [item("helm")] });
const manifest = deployer({ registration: "manifest", provides: ["manifest"], items: [item("helm")] });
const other = deployer({ registration: "other", provides: ["other"], items: [item("manifest")] });
const uninstalled = [deployerManagementFinalizer];

describe("the removal of deployers", () => {
  it.each<[string, readonly ObservedDeployer[], Record<string, string>]>([
    [
      "begins with those that no other one needs",
      [helm, manifest, other],
      { helm: "hold", manifest: "hold", other: "delete" },
    ],
    ["goes on with the next when they are gone", [helm, manifest], { helm: "hold", manifest: "delete" }],
    ["ends with one that is served by itself", [helm], { helm: "delete" }],
    [
      "waits while one is being uninstalled",
      [helm, deployer({ registration: "manifest", items: [item("helm")], isDeleting: true })],
      { helm: "hold", manifest: "wait" },
    ],
    [
      "lets one go when the core has uninstalled it",
      [helm, deployer({ registration: "manifest", isDeleting: true, finalizers: uninstalled })],
      { helm: "delete", manifest: "release" },
    ],
    [
      "takes those that serve each other together",
      [
        deployer({ registration: "a", provides: ["a"], items: [item("b")] }),
        deployer({ registration: "b", provides: ["b"], items: [item("a")] }),
      ],
      { a: "delete", b: "delete" },
    ],
    [
      "takes those whose registrations are gone in any order",
      [deployer({ registration: "a", items: [item("b")] }), deployer({ registration: "b", items: [item("a")] })],
      { a: "delete", b: "delete" },
    ],
    ["has nothing to do without any", [], {}],
  ])("%s", (_, deployers, expected) => {
    expect(stepsOf(deployers)).toEqual(expected);
  });
});
