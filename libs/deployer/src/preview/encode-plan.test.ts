import { describe, expect, it } from "@jest/globals";
import { parsePlanDocument } from "@landscaper/api";
import { encodePlan } from "./encode-plan.ts";

const now = new Date("2026-01-01T12:00:00.123Z");

function encode(preview: { summary?: string; text?: string; changes?: unknown[] }) {
  const { "plan.json": json = "", "plan.txt": text = "" } = encodePlan(
    { summary: "1 to create", text: "", changes: [], ...preview },
    { generation: 3, now },
  );
  const [jsonBytes, textBytes] = [Buffer.from(json, "base64"), Buffer.from(text, "base64")];
  return {
    document: parsePlanDocument(JSON.parse(jsonBytes.toString()), "plan.json"),
    text: textBytes.toString(),
    bytes: jsonBytes.length + textBytes.length,
  };
}

describe("a plan in its Secret", () => {
  it("is whole when it fits", () => {
    const changes = [{ type: "create", fields: ["ü".repeat(1000)] }];
    expect(encode({ text: "create it\n", changes })).toMatchObject({
      document: { generation: 3, time: "2026-01-01T12:00:00.123Z", summary: "1 to create", changes },
      text: "create it\n",
    });
  });

  it("loses the length of its values first, and no change", () => {
    const changes = Array.from({ length: 10 }, (_, index) => ({ index, to: "x".repeat(100_000), small: "kept" }));
    const { document, bytes } = encode({ changes });
    expect(bytes).toBeLessThan(10_000);
    expect(document.omitted).toBe(undefined);
    expect(document.changes[9]).toEqual({ index: 9, to: `${"x".repeat(200)}... (100000 characters)`, small: "kept" });
  });

  it("then loses its last changes and lines, and says how many", () => {
    const changes = Array.from({ length: 20_000 }, (_, index) => ({ index, name: `äöü object ${index}` }));
    const lines = changes.map(({ name }) => `create ${name}`);
    const { document, text, bytes } = encode({ changes, text: `${lines.join("\n")}\n` });
    expect(bytes).toBeLessThan(600_000);
    expect(bytes).toBeGreaterThan(500_000);
    const kept = document.changes.length;
    expect(document.omitted).toBe(20_000 - kept);
    expect(document.changes).toEqual(changes.slice(0, kept));
    const keptLines = text.trimEnd().split("\n");
    expect(keptLines.slice(0, -1)).toEqual(lines.slice(0, keptLines.length - 1));
    expect(keptLines.at(-1)).toBe(`... ${20_001 - keptLines.length} more lines: the plan is longer than 256 KiB`);
  });

  it("says so when one line is too long by itself", () => {
    expect(encode({ text: `${"x".repeat(300_000)}\n` }).text).toBe(
      "... 1 more line: the plan is longer than 256 KiB\n",
    );
  });

  it("takes what is no JSON for nothing", () => {
    expect(encode({ changes: [undefined] }).document).toMatchObject({ changes: [null] });
  });
});
