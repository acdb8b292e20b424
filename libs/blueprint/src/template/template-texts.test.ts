import { describe, expect, it } from "@jest/globals";
import { checkNoValue } from "./no-value.ts";
import { parseOciReference } from "./oci-reference.ts";
import { sourceSnippet } from "./source-snippet.ts";

describe("sourceSnippet", () => {
  const text = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`).join("\n");

  it("shows five lines before and after, and marks the column", () => {
    expect(sourceSnippet(text, { line: 8, column: 2 })).toBe(
      [
        "3:    line 3",
        "4:    line 4",
        "5:    line 5",
        "6:    line 6",
        "7:    line 7",
        "8:    line 8",
        "        ˆ≈≈≈≈≈≈≈",
        "9:    line 9",
        "10:   line 10",
        "11:   line 11",
        "12:   line 12",
        "13:   line 13",
      ].join("\n"),
    );
  });

  it("stops at the ends of the text", () => {
    expect(sourceSnippet("a\nb", { line: 1 })).toBe("1:    a\n2:    b");
    expect(sourceSnippet("a\nb", { line: 2, column: 0 })).toBe("1:    a\n2:    b\n      ˆ≈≈≈≈≈≈≈");
  });
});

describe("checkNoValue", () => {
  const messageOf = (rendered: string): string => {
    try {
      checkNoValue(
        rendered,
        { where: 'deploy template execution "d"', kind: "deploy execution" },
        { imports: { password: "hunter22", name: "bob" } },
      );
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
    return "ok";
  };

  it("lets texts pass that have no such field", () => {
    expect(messageOf("a: b\n")).toBe("ok");
  });

  it("shows keys and hides values around the field", () => {
    expect(messageOf("top:\n- name: hunter22\n  x: a-<no value>-hunter22\n  hunter22: {k: v}\nplain text\n")).toBe(
      [
        'deploy template execution "d": template "deploy execution" contains fields with "no value"; templated output:',
        "line 3:7",
        "1:    top:",
        "2:    - name: [...]",
        "3:      x: [...]<no value>[...]",
        "                ˆ≈≈≈≈≈≈≈",
        "4:      [...]: [...]",
        "5:    [...]",
        "6:    ",
      ].join("\n"),
    );
  });

  it("names the first three places", () => {
    const message = messageOf("a: <no value>\n".repeat(5));
    expect(message.match(/^line \d+:3$/gm)).toEqual(["line 1:3", "line 2:3", "line 3:3"]);
    expect(message.endsWith("and 2 more lines")).toBe(true);
  });
});

describe("parseOciReference", () => {
  it.each([
    ["eu.example.io/a/b:1.2", ["eu.example.io/a/b", "1.2"]],
    ["localhost:5000/a:v1", ["localhost:5000/a", "v1"]],
    ["index.docker.io/library/nginx:1", ["nginx", "1"]],
    ["index.docker.io/me/app:1", ["me/app", "1"]],
    ["x/y@sha256:abc", ["x/y", "sha256:abc"]],
    ["x/y:tag@sha256:abc", ["x/y", "sha256:abc"]],
    ["localhost:5000/a", ["localhost:5000/a", "latest"]],
    ["https://reg.example.io/a", ["reg.example.io/a", "latest"]],
    ["oci://reg.example.io/a:1", ["reg.example.io/a", "1"]],
  ])("splits %s", (reference, parts) => {
    expect(parseOciReference(reference)).toEqual(parts);
  });

  it.each(["nginx", "example.io/a", ""])("refuses %p", (reference) => {
    expect(() => parseOciReference(reference)).toThrow("expected an OCI reference with a tag or a digest");
  });
});
