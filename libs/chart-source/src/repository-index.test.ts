import { describe, expect, it } from "@jest/globals";
import { findInIndex } from "./repository-index.ts";
import { isRange, selectVersion } from "./select-version.ts";

const where = "https://charts.example.org/";

describe("selectVersion", () => {
  const available = ["2.0.0-rc.1", "1.10.0", "1.9.3", "1.2.0", "v1.2.1", "0.9.0", "not-a-version", "1.2.0+build"];
  it.each([
    ["1.9.3", "1.9.3"],
    ["not-a-version", "not-a-version"],
    ["1.2.0+build", "1.2.0+build"],
    ["^1.2", "1.10.0"],
    ["~1.2", "v1.2.1"],
    ["1.x", "1.10.0"],
    [">=1.0.0 <1.10.0", "1.9.3"],
    [">1.9.0, <1.10.0 || 0.9.x", "1.9.3"],
    ["*", "1.10.0"],
    [">=2.0.0-0", "2.0.0-rc.1"],
    ["1.10", "1.10.0"],
    [">=2", undefined],
    ["3.0.0", undefined],
    ["latest", undefined],
  ])("selects for %s %s", (wanted, expected) => {
    expect(selectVersion(wanted, available)).toBe(expected);
  });

  it.each([
    ["^1", true],
    ["1.x", true],
    [">= 1.0, < 2", true],
    ["1.2.3", false],
    ["latest", false],
    ["next", false],
    ["", false],
  ])("takes %s for a range: %s", (text, expected) => {
    expect(isRange(text)).toBe(expected);
  });
});

describe("findInIndex", () => {
  const digest = "0123456789abcdef".repeat(4);
  const index = `
apiVersion: v1
entries:
  app:
    - version: 1.1.0
      urls: [app-1.1.0.tgz, https://mirror.example.org/app-1.1.0.tgz]
      digest: ${digest}
    - { version: 1.0.0, urls: ["https://cdn.example.org/app.tgz"], digest: "sha256:${digest.toUpperCase()}" }
    - { version: 0.9.0, urls: [], digest: short }
    - nonsense
  broken: text
`;

  it.each([
    ["1.1.0", { version: "1.1.0", url: "app-1.1.0.tgz", digest: `sha256:${digest}` }],
    ["1.0.x", { version: "1.0.0", url: "https://cdn.example.org/app.tgz", digest: `sha256:${digest}` }],
  ])("finds %s", (version, expected) => {
    expect(findInIndex(Buffer.from(index), { name: "app", version, where })).toEqual(expected);
  });

  it.each([
    [index, "other 1", { reason: "ChartNotFound", message: `${where}: has no chart other: it has "app"` }],
    [index, "apps 1", { reason: "ChartNotFound", message: `${where}: has no chart apps: did you mean "app"?` }],
    [index, "broken 1", { reason: "ChartNotFound", message: `${where}: has no chart broken: it has "app"` }],
    [
      index,
      "app 7.0.0",
      { reason: "ChartNotFound", message: `${where}: chart app has no version 7.0.0, found 1.1.0, 1.0.0, 0.9.0` },
    ],
    [index, "app 0.9.0", { reason: "InvalidChartSource", message: `${where}: chart app 0.9.0 has no URL` }],
    [
      "<html>",
      "app 1",
      {
        reason: "InvalidChartSource",
        message: `${where}: index.yaml: expected an object with entries; is this a Helm repository?`,
      },
    ],
    ["a: [", "app 1", { reason: "InvalidChartSource", message: expect.stringContaining(`${where}: index.yaml: `) }],
  ])("says what is wrong (%#)", (text, wanted, expected) => {
    let error: unknown;
    const [name = "", version = ""] = wanted.split(" ");
    try {
      findInIndex(Buffer.from(text), { name, version, where });
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject(expected);
  });
});
