import { describe, expect, it } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { decodeRelease, encodeRelease } from "./release-record.ts";
import { readStored, type StoredRelease } from "./stored-release.ts";

const head = '"name":"app","namespace":"n","version":1,"info":{"status":"deployed"},"chart":{}';

function packed(json: string): string {
  return gzipSync(json).toString("base64");
}

async function problemOf(json: string, maxBytes?: number): Promise<string> {
  return await decodeRelease(packed(json), "Secret n/a", maxBytes).then(
    () => "none",
    ({ message }: Error) => message,
  );
}

const tooMuch = "Secret n/a: the record of the release cannot be read: it holds more than";

describe("a record of a release", () => {
  it("is read as it was written, and tells its size", async () => {
    const json = `{${head},"config":{"a":1},"manifest":"a: b","hooks":[]}`;
    const { record, bytes } = await decodeRelease(packed(json), "Secret n/a");
    expect(bytes).toBe(json.length);
    expect(await decodeRelease(await encodeRelease(record), "Secret n/a")).toEqual({ record, bytes });
  });

  it("has no fields in its JSON that its object must say", async () => {
    const fields = '"helmVersion":{"a":1},"unreadable":"no","labels":{"a":1},"apply_method":"ssa"';
    const { record } = await decodeRelease(packed(`{${head},"manifest":"",${fields}}`), "Secret n/a");
    expect(record).toEqual({
      name: "app",
      namespace: "n",
      version: 1,
      info: { status: "deployed" },
      chart: {},
      config: {},
      manifest: "",
      hooks: [],
      apply_method: "ssa",
    });
  });

  it.each([
    ["expands to too many bytes", `{${head},"manifest":"${"x".repeat(2 ** 25)}"}`, undefined, `${tooMuch} 32 MiB`],
    ["expands to more than is left", `{${head},"manifest":"${"x".repeat(2 ** 21)}"}`, 2 ** 20, `${tooMuch} 1 MiB`],
    [
      "has too many values",
      `{${head},"manifest":"","config":[${"[],".repeat(200_000)}1]}`,
      undefined,
      `${tooMuch} 200000 values`,
    ],
    [
      "is nested too deep",
      `{${head},"manifest":"","config":${"[".repeat(1001)}${"]".repeat(1001)}}`,
      undefined,
      `${tooMuch} 1000 levels`,
    ],
    ["is no JSON", "{", undefined, "Secret n/a: the record of the release cannot be read: it is no zipped JSON"],
  ])("cannot be read when it %s", async (...[, json, maxBytes, want]) => {
    expect(await problemOf(json, maxBytes)).toBe(want);
  });

  it("that cannot be read is still a revision", async () => {
    const release = Buffer.from(packed(`{${head},"manifest":"","config":[${"[],".repeat(200_000)}1]}`)).toString(
      "base64",
    );
    const metadata = { namespace: "n", name: "sh.helm.release.v1.app.v3", labels: { status: "deployed" } };
    const stored: StoredRelease = {
      apiVersion: "v1",
      kind: "Secret",
      metadata,
      type: "helm.sh/release.v1",
      data: { release },
    };
    expect(await readStored(stored, "app")).toMatchObject({
      record: {
        version: 3,
        manifest: "",
        info: { status: "deployed" },
        unreadable: expect.stringContaining("200000 values"),
      },
      bytes: 0,
    });
  });
});
