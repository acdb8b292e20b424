import { describe, expect, it } from "@jest/globals";
import { digestOf, mediaTypes } from "@landscaper/oci";
import { composeIndex, entriesOf, platformOfConfig, selectPlatforms } from "./index-manifest.ts";

const entry = (architecture: string, os = "linux") => ({
  mediaType: mediaTypes.ociManifest,
  digest: digestOf(Buffer.from(`${os}/${architecture}`)),
  size: 5,
  platform: { os, architecture },
});
const index = composeIndex([entry("amd64"), entry("arm64"), entry("amd64", "windows")]);
const platforms = (manifest: typeof index): unknown[] =>
  entriesOf(manifest, "index").map(({ platform }) => `${platform?.os}/${platform?.architecture}`);

describe("selectPlatforms", () => {
  it.each([
    [["linux/amd64"], ["linux/amd64"]],
    [["linux/"], ["linux/amd64", "linux/arm64"]],
    [["/amd64"], ["linux/amd64", "windows/amd64"]],
    [
      ["linux/arm64", "windows/amd64"],
      ["linux/arm64", "windows/amd64"],
    ],
  ])("with %j keeps %j", (wanted, kept) => {
    const selected = selectPlatforms(index, wanted, "index");
    expect(platforms(selected)).toEqual(kept);
    expect(selected).toMatchObject({ digest: digestOf(selected.bytes), size: selected.bytes.length });
  });

  it("keeps the bytes of an index that has no other platforms", () => {
    expect(selectPlatforms(index, ["/"], "index")).toBe(index);
  });

  it("matches entries without a platform only if every platform is wanted", () => {
    const { platform: _, ...other } = entry("amd64");
    const both = composeIndex([other, entry("arm64")]);
    expect(platforms(selectPlatforms(both, ["linux/"], "index"))).toEqual(["linux/arm64"]);
    expect(selectPlatforms(both, ["/"], "index")).toBe(both);
  });

  it("refuses an index without manifests", () => {
    const empty = { ...index, bytes: Buffer.from("{}") };
    expect(() => selectPlatforms(empty, ["linux/amd64", "linux/arm64"], "index")).toThrow(
      new Error(
        "index: platforms: no manifest of the index matches linux/amd64, linux/arm64; the index has no platforms.",
      ),
    );
    expect(() => selectPlatforms(empty, ["/"], "index")).toThrow("no manifest of the index matches /;");
    expect(entriesOf(empty, "index")).toEqual([]);
    expect(entriesOf(index, "index").map(({ names }) => names)).toEqual([[], [], []]);
  });

  it.each([
    [["linux"], 'index: platforms: expected [OS]/[ARCHITECTURE], found "linux"'],
    [
      ["linux/s390x"],
      "index: platforms: no manifest of the index matches linux/s390x; the index has linux/amd64, linux/arm64, windows/amd64.",
    ],
  ])("refuses %j", (wanted, message) => {
    expect(() => selectPlatforms(index, wanted, "index")).toThrow(new Error(message));
  });
});

describe("entriesOf", () => {
  it.each<[string, string]>([
    ["[]", "index: expected a JSON object"],
    ["{", "index: expected a JSON object"],
    ['{"manifests":[{"digest":"x"}]}', "index: manifests[0]: expected mediaType, digest and size"],
  ])("refuses %s", (text, message) => {
    expect(() => entriesOf({ bytes: Buffer.from(text) }, "index")).toThrow(new Error(message));
  });
});

it("platformOfConfig reads the platform of an image's configuration", () => {
  const config = { os: "linux", architecture: "arm", variant: "v7", config: {} };
  expect(platformOfConfig(Buffer.from(JSON.stringify(config)), "config")).toEqual({
    os: "linux",
    architecture: "arm",
    variant: "v7",
  });
  expect(platformOfConfig(Buffer.from("{}"), "config")).toBeUndefined();
});
