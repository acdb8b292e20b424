import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { createKubeconfig } from "@landscaper/testkit";
import { describeChanges } from "../../deployer-conformance/changes.ts";
import { Deviation, equal, expectField, fieldOf, listing, oneOf } from "../../deployer-conformance/expectations.ts";
import { openLandscape } from "../../deployer-conformance/landscape.ts";
import { loadProfile, parseProfile } from "../../deployer-conformance/profile.ts";
import { replacingPatch } from "../../deployer-conformance/replacing-patch.ts";
import { formatResult, formatSummary, isPassed } from "../../deployer-conformance/report.ts";
import { rules } from "../../deployer-conformance/rules.ts";
import type { Result } from "../../deployer-conformance/run.ts";
import { listLeftOut, listScenarios } from "../../deployer-conformance/run.ts";
import { isSameJson } from "../../deployer-conformance/same-json.ts";
import { packFolder } from "../../src/artifacts/pack-folder.ts";
import type { Item, Status } from "../../src/kits/plain-api.ts";

const minimal = "type: example.org/x\nitems: { succeeds: { config: {} } }\n";

describe("a profile of a deployer", () => {
  it("needs a type and a configuration that succeeds", () => {
    expect(parseProfile(minimal, "x.yaml")).toEqual({
      type: "example.org/x",
      seconds: { pickup: 10, work: 30, quiet: 2, tolerance: 2 },
      lacks: [],
      items: { succeeds: { config: {} } },
    });
  });

  it.each([
    ["items: { succeeds: { config: {} } }", "x.yaml: not a valid profile: type: required field is missing"],
    ["type: x\nitems: {}", "x.yaml: not a valid profile: items.succeeds: required field is missing"],
    [`${minimal}tagret: {}`, "x.yaml: not a valid profile: tagret: unknown field"],
    [
      `${minimal}seconds: { quiet: soon }`,
      "x.yaml: not a valid profile: seconds.quiet: expected a number, found a string",
    ],
    [`${minimal}target: { type: x }`, "x.yaml: not a valid profile: target.config: required field is missing"],
    [
      `${minimal}lacks: [hope]`,
      'x.yaml: not a valid profile: lacks[0]: expected one of "timeout", "updateOnChangeOnly", "testReconcile", "errorHistory", "accessData", "clusterAccess", "uninstall", "retries", "predecessors", found another text',
    ],
    [
      "type: x\nitems: { succeeds: { config: { name: '{{nam}}' } } }",
      "x.yaml: expected one of the placeholders name, id, namespace, kubeconfig, sentinel, found {{nam}}",
    ],
    [
      "type: x\nitems: { succeeds: { config: {}, effects: [{ apiVersion: v1, name: x }] } }",
      "x.yaml: not a valid profile: items.succeeds.effects[0].resource: required field is missing",
    ],
  ])("%j is refused with the field", (source, message) => {
    expect(() => parseProfile(source, "x.yaml")).toThrow(message);
  });

  it("that is no YAML is refused", () => {
    expect(() => parseProfile("{", "x.yaml")).toThrow(/^x\.yaml: expected YAML or JSON: /);
  });

  it("says by what it lacks which scenarios do not apply, and by what is missing which cannot be judged", () => {
    const profile = parseProfile(`${minimal}lacks: [testReconcile, accessData, uninstall, retries]`, "x.yaml");
    const leftOut = listLeftOut(profile);
    const inapplicable = leftOut.filter(({ outcome }) => outcome === "not applicable");
    expect(inapplicable.map(({ id, why }) => `${id}: ${why}`)).toEqual([
      "J13: the profile says that it lacks retries: its errors are all final",
      "J17: the profile says that it lacks testReconcile: it does not know the annotation",
      ...["I4", "D4", "D5", "D7"].map(
        (id) =>
          `${id}: the profile says that it lacks uninstall: it has nothing to uninstall: what it makes goes with the item`,
      ),
      ...["G3", "G4", "G5"].map((id) => `${id}: the profile says that it lacks accessData: it opens no Target`),
      "P2: the profile says that it lacks uninstall: it has nothing to uninstall: what it makes goes with the item",
    ]);
    const found = new Map(leftOut.map(({ id, outcome, why }) => [id, `${outcome}: ${why}`]));
    expect([found.get("J1"), found.get("J2"), found.get("J9")]).toEqual([
      undefined,
      "not judged: profile has no items.succeeds.effects",
      "not judged: profile has no items.changed",
    ]);
    expect([found.get("G1"), found.get("G6"), found.get("X1"), found.get("I2")]).toEqual([
      "not judged: profile has no target",
      "not judged: profile has no target.otherwise",
      "not judged: profile has no restart",
      "not judged: profile has no items.slow",
    ]);
    expect(found.get("P1")).toBe("not judged: profile has no predecessors");
  });
});

function itemOf(status: Status, metadata: Partial<Item["metadata"]> = {}): Item {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "here", resourceVersion: "1", ...metadata },
    spec: { type: "x" },
    status,
  };
}

const working: Status = { jobID: "b", jobIDFinished: "a", phase: "Progressing" };
const time = "2026-01-01T00:00:00Z";
const lastError = { operation: "o", reason: "r", message: "m", lastTransitionTime: time, lastUpdateTime: time };
const ended: Status = { jobID: "b", jobIDFinished: "b", phase: "Succeeded" };

describe("the profiles that documents show", () => {
  it("are ones", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/deployer-authors.md"), "utf8");
    const [, source = ""] = /^## Conformance$.*?^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
    const profile = parseProfile(source, "docs/deployer-authors.md");
    expect(Object.keys(profile.items)).toEqual(["succeeds", "waits", "invalid"]);
  });
});

describe("the predecessors of the helm deployer", () => {
  it("have the records of Helm 3 and of Helm 4 with client-side apply", () => {
    const file = join(import.meta.dirname, "../../deployer-conformance/profiles/helm.yaml");
    const { predecessors = [] } = loadProfile(file);
    const records = predecessors.map(({ objects = [] }) =>
      fieldOf(objects.at(-1)?.object, "stringData.release.gzippedJSON"),
    );
    expect(records.map((record) => [fieldOf(record, "info.deleted"), fieldOf(record, "apply_method")])).toEqual([
      ["", undefined],
      [undefined, "csa"],
    ]);
  });
});

describe("the profile of the helm deployer", () => {
  const folder = join(import.meta.dirname, "../../deployer-conformance");

  it("has the chart of testdata/chart, packed", async () => {
    const { items } = loadProfile(join(folder, "profiles/helm.yaml"));
    const charts = Object.values(items).map(({ config }) => fieldOf(config, "chart.archive.raw"));
    const wanted = await packFolder(join(folder, "testdata/chart"));
    // Two versions of gzip may make different bytes of the same archive.
    const isThat = (raw: unknown): boolean => gunzipSync(Buffer.from(String(raw), "base64")).equals(gunzipSync(wanted));
    expect(charts.every(isThat) ? "the same" : wanted.toString("base64")).toBe("the same");
  });
});

describe("the sentinel that profiles insert", () => {
  it("is a password in the Targets' kubeconfig, and the kit recognises it in text", async () => {
    const kubeconfig = createKubeconfig({ name: "x", server: "https://127.0.0.1:1", user: { token: "token" } });
    const landscape = openLandscape({ kubeconfig, profile: parseProfile(minimal, "x.yaml") });
    await landscape.close();
    expect(landscape.sentinel).toMatch(/^sentinel[0-9a-f]+$/);
    expect(landscape.findSecret(`logs in with ${landscape.sentinel}`)).toBeDefined();
    expect(landscape.targetKubeconfig).toContain(`password: ${landscape.sentinel}\n`);
  });
});

describe("the rules of writes", () => {
  const judge = (id: string, write: { readonly before: Item; readonly after: Item; readonly isTested?: boolean }) =>
    rules.find((rule) => rule.id === id)?.judge({ isTested: false, ...write });

  it.each<readonly [string, Status, Status, string | undefined]>([
    ["R1", working, ended, undefined],
    [
      "R1",
      working,
      { ...working, jobIDFinished: "b" },
      'status.phase: expected a final one beside jobIDFinished = jobID, found "Progressing"',
    ],
    [
      "R1",
      working,
      { ...working, phase: "Failed" },
      'status.jobIDFinished: expected "b" beside phase "Failed", found "a"',
    ],
    ["R2", working, { ...working, jobID: "c" }, 'status.jobID: "b" -> "c"'],
    ["R2", working, { ...working, jobIDFinished: "z" }, 'status.jobIDFinished: expected "b", found "z"'],
    ["R3", ended, { ...ended, providerStatus: {} }, undefined],
    ["R3", ended, { ...ended, lastReconcileTime: time }, `status.lastReconcileTime: nothing -> "${time}"`],
    [
      "R5",
      working,
      { ...working, phase: "Busy" },
      'status.phase: expected one of Init, Progressing, Processing, Completing, Failed, InitDelete, Deleting, DeleteFailed, Succeeded, found "Busy"',
    ],
    [
      "R5",
      { ...ended, jobID: "c" },
      { ...ended, jobID: "c", phase: "Deleting" },
      "status.phase: Deleting, but the item is not deleted",
    ],
    ["R6", working, { ...ended, phase: "Failed", lastError }, undefined],
    [
      "R6",
      working,
      { ...ended, phase: "Failed" },
      "status.lastError.operation: expected a text beside Failed, found none",
    ],
    [
      "R6",
      working,
      { ...ended, phase: "Failed", lastError: { ...lastError, lastUpdateTime: "now" } },
      'status.lastError.lastUpdateTime: expected a time as in RFC 3339, found "now"',
    ],
    [
      "R7",
      working,
      { ...ended, lastError },
      `status.lastError: expected nothing beside Succeeded, found ${JSON.stringify(lastError)}`,
    ],
    ["R8", { ...working, jobIDGenerationTime: time }, ended, `status.jobIDGenerationTime: "${time}" -> nothing`],
    [
      "R9",
      working,
      { ...working, lastErrors: [1, 2, 3, 4, 5, 6] },
      "status.lastErrors: expected at most 5 entries, found 6",
    ],
    [
      "R9",
      { ...working, lastReconcileTime: "2026-01-02T00:00:00Z" },
      { ...working, lastReconcileTime: time },
      `status.lastReconcileTime: "2026-01-02T00:00:00Z" -> "${time}"`,
    ],
  ])("%s: %j -> %j", (...row) => {
    const [id, before, after, problem] = row;
    expect(judge(id, { before: itemOf(before), after: itemOf(after) })).toBe(problem);
  });

  it("R2 and R3 let a deployer give an ID to a job of test-reconcile", () => {
    const write = {
      before: itemOf(ended),
      after: itemOf({ ...working, jobID: "own", jobIDFinished: "b" }),
      isTested: true,
    };
    expect([judge("R2", write), judge("R3", write)]).toEqual([undefined, undefined]);
  });

  it("R4 lets the finalizer and the operation change, and nothing else of metadata", () => {
    const before = itemOf(working, {
      annotations: { "landscaper.gardener.cloud/operation": "test-reconcile", a: "b" },
    });
    const own = itemOf(working, { finalizers: ["finalizer.landscaper.gardener.cloud"], annotations: { a: "b" } });
    expect(judge("R4", { before, after: own })).toBeUndefined();
    expect(judge("R4", { before: own, after: itemOf(working, { annotations: {} }) })).toBe(
      'metadata.annotations.a: "b" -> nothing',
    );
  });

  it("R5 wants the phases of a deletion where a job of a deletion starts", () => {
    const metadata = { deletionTimestamp: time };
    const open = { ...ended, jobID: "c" };
    const start = { before: itemOf(open, metadata), after: itemOf({ ...open, phase: "Progressing" }, metadata) };
    expect(judge("R5", start)).toBe("status.phase: Progressing, but the job is a deletion");
    const inWork = { before: itemOf(working, metadata), after: itemOf({ ...working, phase: "Failed" }, metadata) };
    expect(judge("R5", inWork)).toBeUndefined();
  });
});

describe("the messages of the kit", () => {
  it("name object, field, expectation and finding", () => {
    const item = itemOf({ ...ended, list: ["a"] });
    const check = (): void => expectField(item, "status.phase", oneOf("Failed", "DeleteFailed"));
    expect(check).toThrow(
      new Deviation('DeployItem here/item, status.phase: expected one of "Failed", "DeleteFailed", found "Succeeded"'),
    );
    expect(() => expectField(item, "status.list", listing("a"))).not.toThrow();
    expect(() => expectField(item, "status.list", equal(["b"]))).toThrow('expected ["b"], found ["a"]');
  });

  it("say what a write has changed, without what the API server keeps books of", () => {
    const after = itemOf({ ...ended, conditions: [] }, { resourceVersion: "2" });
    expect(describeChanges(itemOf(working), after)).toBe(
      'status.jobIDFinished: "a" -> "b"; status.phase: "Progressing" -> "Succeeded"',
    );
    expect(describeChanges(after, { ...after, metadata: { ...after.metadata, resourceVersion: "3" } })).toBe(
      "a write that changes nothing",
    );
  });

  it("list results, with the contract below a failure, and count them", () => {
    const base = { title: "does it", contract: "It does it (page 1)", seconds: 1.25 };
    const results: readonly Result[] = [
      { ...base, id: "J1", outcome: "passed" },
      { ...base, id: "J2", outcome: "failed", detail: "no\nstatus: {}" },
      { ...base, id: "G4", outcome: "not applicable", detail: "it opens no Target" },
      { ...base, id: "X1", outcome: "not judged", detail: "profile has no restart" },
    ];
    expect(results.map(formatResult)).toEqual([
      "passed          J1   does it (1.3 s)",
      "failed          J2   does it\n    no\n    status: {}\n    contract: It does it (page 1)",
      "not applicable  G4   does it: it opens no Target",
      "not judged      X1   does it: profile has no restart",
    ]);
    expect(formatSummary(results)).toBe("1 passed, 1 failed (J2), 1 not applicable (G4), 1 not judged (X1)");
    expect([isPassed(results, false), isPassed(results, true)]).toEqual([false, false]);
  });

  it("tell what is stricter than the original, which fails no run that is judged by the original", () => {
    const base = { title: "does it", contract: "It does it (page 1)", seconds: 0 };
    const results: readonly Result[] = [
      { ...base, id: "J1", outcome: "passed" },
      { ...base, id: "J12", outcome: "failed", detail: "no", isStricter: true },
      { ...base, id: "T2", outcome: "passed", isStricter: true },
    ];
    expect(formatResult(results[1]!)).toBe(
      "failed          J12  does it [stricter]\n    no\n    contract: It does it (page 1)",
    );
    expect(formatSummary(results)).toBe("2 passed, 0 failed, 1 stricter than the original failed (J12), 0 not judged");
    expect([isPassed(results, false), isPassed(results, true)]).toEqual([false, true]);
  });

  it("has the rules that the original's manifest deployer does not keep as stricter ones", () => {
    const stricter = listScenarios().filter(({ isStricter }) => isStricter === true);
    expect(stricter.map(({ id }) => id)).toEqual(["J12", "J19", "T2", "C4", "D11", "D13", "E3", "G3", "G5"]);
  });
});

describe("replacingPatch", () => {
  it.each([
    [{ a: 1, b: 2 }, { b: 3 }, { a: null, b: 3 }],
    [{ a: { b: 1, c: [1] } }, { a: { c: [2] } }, { a: { b: null, c: [2] } }],
    [{ a: { b: 1 } }, { a: "x" }, { a: "x" }],
    [{ a: ["x"] }, { a: { b: { c: 1 } } }, { a: { b: { c: 1 } } }],
    [undefined, { a: 1 }, { a: 1 }],
  ])("of %j to %j is %j", (former, wanted, patch) => {
    expect(replacingPatch(former, wanted)).toEqual(patch);
  });
});

describe("isSameJson", () => {
  it.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [[1, 2], [1], false],
    [[], {}, false],
    [{ a: null }, {}, false],
    ["1", 1, false],
  ])("%j and %j: %j", (left, right, isSame) => {
    expect([isSameJson(left, right), isSameJson(right, left)]).toEqual([isSame, isSame]);
  });
});
