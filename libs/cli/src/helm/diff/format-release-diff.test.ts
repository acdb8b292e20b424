import { describe, expect, it } from "@jest/globals";
import { formatReleaseDiff, formatReleaseDiffJson, hasDifferences, type ReleaseDiff } from "./format-release-diff.ts";

const resource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "ns" };
const same: ReleaseDiff = {
  release: "shop",
  namespace: "ns",
  from: { revision: 2, chart: "shop-1.0.0" },
  to: { revision: undefined, chart: "shop-1.1.0" },
  isLive: false,
  helmVersion: "3",
  changes: [{ resource, type: "unchanged", fields: [] }],
  hooks: [],
  kept: [],
  events: ["pre-upgrade", "post-upgrade"],
};
const hook = (type: "create" | "update" | "delete" | "unchanged", events: readonly string[]) =>
  ({ type, kind: "Job", name: type, events }) as const;

describe("formatReleaseDiff", () => {
  it.each<[string, Partial<ReleaseDiff>, string]>([
    ["no difference", {}, "# Release ns/shop: revision 2 (shop-1.0.0) -> shop-1.1.0, as Helm 3\n1 unchanged\n"],
    [
      "an installation on the cluster",
      { from: undefined, isLive: true, helmVersion: "4", changes: [{ resource, type: "create", fields: [] }] },
      "# Release ns/shop: not installed -> shop-1.1.0, as Helm 4, on the cluster\ncreate ConfigMap ns/a\n1 to create\n",
    ],
    [
      "two revisions",
      { to: { revision: 3, chart: "shop-1.1.0" }, events: [], changes: [], helmVersion: undefined },
      "# Release ns/shop: revision 2 (shop-1.0.0) -> revision 3 (shop-1.1.0)\nnothing to do\n",
    ],
    [
      "what stays, and hooks that run or have changed",
      {
        kept: [resource],
        hooks: [
          hook("unchanged", ["pre-upgrade", "pre-install"]),
          hook("create", ["post-upgrade"]),
          hook("update", ["test"]),
          hook("delete", ["pre-upgrade"]),
          { ...hook("unchanged", ["pre-delete"]), name: "not shown" },
        ],
      },
      `# Release ns/shop: revision 2 (shop-1.0.0) -> shop-1.1.0, as Helm 3
1 unchanged
keep ConfigMap ns/a: its resource policy says so
hook Job unchanged (pre-upgrade, pre-install): runs
hook Job create (post-upgrade): runs, new
hook Job update (test): changed
hook Job delete (pre-upgrade): no longer there
`,
    ],
  ])("shows %s", (_, more, text) => {
    expect(formatReleaseDiff({ ...same, ...more })).toBe(text);
  });
});

describe("formatReleaseDiffJson", () => {
  it("says which hooks run, and nothing of what stays as it is", () => {
    const hooks = [hook("unchanged", ["pre-upgrade"]), hook("delete", ["pre-upgrade"])];
    expect(JSON.parse(formatReleaseDiffJson({ ...same, hooks, from: undefined }))).toEqual({
      release: "shop",
      namespace: "ns",
      from: null,
      to: { revision: null, chart: "shop-1.1.0" },
      live: false,
      helmVersion: "3",
      summary: "1 unchanged",
      changes: [],
      kept: [],
      hooks: [
        { ...hook("unchanged", ["pre-upgrade"]), runs: true },
        { ...hook("delete", ["pre-upgrade"]), runs: false },
      ],
    });
  });
});

describe("hasDifferences", () => {
  it.each<[string, Partial<ReleaseDiff>, boolean]>([
    ["unchanged objects", {}, false],
    ["hooks that only run", { hooks: [hook("unchanged", ["pre-upgrade"])] }, false],
    ["a changed hook", { hooks: [hook("update", ["test"])] }, true],
    ["an object that the cluster would refuse", { changes: [{ resource, type: "blocked", fields: [] }] }, true],
  ])("of %s", (_, more, expected) => {
    expect(hasDifferences({ ...same, ...more })).toBe(expected);
  });
});
