import { describe, expect, it } from "@jest/globals";
import { compareVersions } from "./group-versions.ts";

describe("compareVersions", () => {
  it("prefers stable to beta to alpha, higher to lower, and anything else by name", () => {
    const sorted = [
      "foo1",
      "v1",
      "v10",
      "v2",
      "v3beta1",
      "v11alpha2",
      "v12alpha1",
      "v11beta2",
      "foo10",
      "v10beta3",
    ].toSorted(compareVersions);
    expect(sorted).toEqual([
      "v10",
      "v2",
      "v1",
      "v11beta2",
      "v10beta3",
      "v3beta1",
      "v12alpha1",
      "v11alpha2",
      "foo1",
      "foo10",
    ]);
  });
});
