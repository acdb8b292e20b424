import { describe, expect, it } from "@jest/globals";
import type { UpdateStrategy } from "@landscaper/api";
import { decideApply, decideApplyUnseen } from "./decide-apply.ts";
import { ours, theirs, configMap, refused, stored, entryOf, input } from "../../test/apply-input.ts";

describe("annotations of creation", () => {
  const annotated = { annotateBeforeCreate: { made: "here", over: "entry" } };
  const manifest = configMap({ annotations: { over: "manifest", own: "yes" } });

  it("are merged over those of the manifest when the object is created", () => {
    expect(decideApply(input({ entry: { manifest, ...annotated } }))).toEqual({
      type: "create",
      object: configMap({ labels: ours, annotations: { over: "entry", own: "yes", made: "here" } }),
    });
  });

  it("are not set by an update", () => {
    expect(decideApply(input({ entry: { manifest, ...annotated }, live: configMap(stored) }))).toEqual({
      type: "replace",
      object: configMap({ ...stored, labels: ours, annotations: { over: "manifest", own: "yes" } }),
    });
  });

  it("stay when a create whose answer was lost is repeated", () => {
    const live = configMap({ ...stored, labels: ours, annotations: { over: "entry", own: "yes", made: "here" } });
    expect(decideApply(input({ entry: { manifest, ...annotated }, live, recorded: entryOf() }))).toEqual({
      type: "unchanged",
    });
  });

  it("are not set on an object of nobody that was only planned", () => {
    const live = configMap(stored);
    expect(decideApply(input({ entry: { manifest, ...annotated }, live, recorded: entryOf() }))).toEqual({
      type: "replace",
      object: configMap({ ...stored, labels: ours, annotations: { over: "manifest", own: "yes" } }),
    });
  });
});

describe("an object that the inventory does not know", () => {
  const adoptedFrom = "landscaper.gardener.cloud/adopted-from";
  const theirObject = configMap({ ...stored, labels: theirs });
  const taken = { ...stored, labels: ours, annotations: { [adoptedFrom]: "other" } };

  it.each<readonly [name: string, overrides: Parameters<typeof input>[0]]>([
    ["of another item is refused", { recorded: entryOf() }],
    ["with the name of a former one, too", { recorded: entryOf("former") }],
    ["by strategy apply, too", { recorded: undefined, strategy: "apply" }],
    ["by policy immutable, too, which would delete it later", { recorded: undefined, entry: { policy: "immutable" } }],
  ])("%s", (_name, overrides) => {
    expect(decideApply(input({ live: theirObject, ...overrides }))).toEqual(refused);
  });

  it("of another item is shared where it is kept", () => {
    expect(decideApply(input({ live: theirObject, recorded: undefined, entry: { policy: "keep" } })).type).toBe(
      "replace",
    );
  });

  it("of nobody is taken", () => {
    expect(decideApply(input({ live: configMap(stored), recorded: undefined })).type).toBe("replace");
  });

  it.each<readonly [strategy: UpdateStrategy, decision: unknown]>([
    ["update", { type: "replace", object: configMap(taken, { data: { a: "1" } }) }],
    ["mergeOverwrite", { type: "replace", object: configMap(taken, { data: { a: "1" } }) }],
    [
      "patch",
      {
        type: "patch",
        body: { metadata: { labels: ours, annotations: { [adoptedFrom]: "other" } }, data: { a: "1" } },
      },
    ],
    [
      "apply",
      {
        type: "apply",
        body: configMap({ labels: ours, uid: "u" }, { data: { a: "1" } }),
        prepare: [
          { op: "replace", path: "/metadata/resourceVersion", value: "7" },
          {
            op: "replace",
            path: "/metadata/labels/manifest.deployer.landscaper.gardener.cloud~1deployitem",
            value: "item",
          },
          { op: "add", path: "/metadata/annotations", value: { [adoptedFrom]: "other" } },
        ],
      },
    ],
  ])("of another item is taken by %s where the entry says adopt, and bears its former owner", (strategy, decision) => {
    const policy = "manage";
    const manifest = configMap({}, { data: { a: "1" } });
    const entry = { policy, manifest, adopt: true } as const;
    expect(decideApply(input({ entry, live: theirObject, recorded: undefined, strategy }))).toEqual(decision);
  });

  it("keeps the name of its former owner", () => {
    const live = configMap(taken, { data: { a: "0" } });
    expect(decideApply(input({ live }))).toEqual({
      type: "replace",
      object: configMap(taken, { data: { a: "1" } }),
    });
  });
});

describe("strategy apply", () => {
  const managers = { manager: "m", former: ["old"] };
  const applying = { strategy: "apply", managers } as const;
  const body = configMap({ labels: ours, uid: "u" }, { data: { a: "1" } });
  const written = (manager: string, operation: string): object => ({
    manager,
    operation,
    apiVersion: "v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { "f:b": {} } },
  });

  it("creates with the annotations of creation", () => {
    expect(decideApply(input({ ...applying, entry: { annotateBeforeCreate: { made: "here" } } }))).toEqual({
      type: "apply",
      body: configMap({ labels: ours, annotations: { made: "here" }, resourceVersion: "1" }, { data: { a: "1" } }),
      isNew: true,
    });
  });

  it("sends nothing that belongs to the server", () => {
    const manifest = configMap({ ...stored, managedFields: [], labels: null }, { status: { a: 1 }, data: { a: "1" } });
    expect(decideApply(input({ ...applying, entry: { manifest } }))).toEqual({
      type: "apply",
      body: configMap({ labels: ours, resourceVersion: "1" }, { data: { a: "1" } }),
      isNew: true,
    });
  });

  it("applies to the very object that is there", () => {
    const live = configMap({ ...stored, managedFields: [written("m", "Apply"), written("kubectl", "Update")] });
    expect(decideApply(input({ ...applying, live }))).toEqual({ type: "apply", body });
  });

  it("hands over first what we wrote by other strategies", () => {
    const live = configMap({ ...stored, managedFields: [written("old", "Update")] });
    expect(decideApply(input({ ...applying, live }))).toEqual({
      type: "apply",
      body,
      prepare: [
        { op: "replace", path: "/metadata/resourceVersion", value: "7" },
        { op: "replace", path: "/metadata/managedFields", value: [written("m", "Apply")] },
      ],
    });
  });

  it.each<readonly [name: string, overrides: Parameters<typeof input>[0], type: string | undefined]>([
    ["what we applied last", { recorded: entryOf("u", "m") }, "apply"],
    ["what we keep", { recorded: entryOf("u", "m"), entry: { policy: "keep" } }, "apply"],
    ["what is only planned", { recorded: entryOf(undefined, "m") }, "apply"],
    ["what is unknown", { recorded: undefined, entry: { policy: "fallback" } }, "apply"],
    ["what we wrote by another strategy", { recorded: entryOf("u") }, undefined],
    ["what was applied under another name", { recorded: entryOf("u", "other") }, undefined],
    ["what others may have taken", { recorded: entryOf("u", "m"), entry: { policy: "fallback" } }, undefined],
    ["what is never changed", { recorded: entryOf("u", "m"), entry: { policy: "immutable" } }, undefined],
    ["what is ignored", { entry: { policy: "ignore" } }, "ignore"],
  ])("without a look, %s", (_name, overrides, type) => {
    expect(decideApplyUnseen(input({ ...applying, ...overrides }))?.type).toBe(type);
  });

  it("without a look, applies to the object of the inventory and to no other", () => {
    expect(decideApplyUnseen(input({ ...applying, recorded: entryOf("u", "m") }))).toEqual({ type: "apply", body });
  });
});

describe("without a look, by the other strategies", () => {
  it.each<readonly [name: string, overrides: Parameters<typeof input>[0], type: string | undefined]>([
    ["what is planned is created", { recorded: entryOf() }, "create"],
    ["what is unknown is created", { recorded: undefined }, "create"],
    ["what exists has to be seen", { recorded: entryOf("u") }, undefined],
    ["what is ignored needs nothing", { entry: { policy: "ignore" } }, "ignore"],
  ])("%s", (_name, overrides, type) => {
    expect(decideApplyUnseen(input(overrides))?.type).toBe(type);
  });
});
