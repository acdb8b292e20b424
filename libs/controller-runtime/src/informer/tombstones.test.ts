import { describe, expect, it } from "@jest/globals";
import { createTombstones } from "./tombstones.ts";

function version(uid: string | undefined, resourceVersion?: string) {
  const metadata = {
    name: "a",
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion ? { resourceVersion } : {}),
  };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

describe("createTombstones", () => {
  it("covers the last version and everything before it", () => {
    const tombstones = createTombstones();
    tombstones.add(version("u", "10"));
    expect([tombstones.covers(version("u", "9")), tombstones.covers(version("u", "10"))]).toEqual([true, true]);
  });

  it("does not cover a later version: the object lives after all", () => {
    const tombstones = createTombstones();
    tombstones.add(version("u", "10"));
    expect(tombstones.covers(version("u", "11"))).toBe(false);
  });

  it("covers every version of a uid that is known to be gone", () => {
    const tombstones = createTombstones();
    tombstones.addUid("u");
    expect(tombstones.covers(version("u", "99"))).toBe(true);
  });

  it("does not cover another object of the same name", () => {
    const tombstones = createTombstones();
    tombstones.add(version("u", "10"));
    expect(tombstones.covers(version("other", "1"))).toBe(false);
  });

  it("knows nothing of objects without uid", () => {
    const tombstones = createTombstones();
    tombstones.add(version(undefined, "10"));
    expect(tombstones.covers(version(undefined, "9"))).toBe(false);
  });

  it("forgets the oldest beyond its limit", () => {
    const tombstones = createTombstones(2);
    for (const uid of ["a", "b", "a", "c"]) tombstones.addUid(uid);
    expect(["a", "b", "c"].map((uid) => tombstones.covers(version(uid)))).toEqual([true, false, true]);
  });
});
