import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";

const command = join(import.meta.dirname, "../../bin/landscaper");

/** The built command as a process of its own. */
function landscaper(args: readonly string[], input: string): { stdout: string; stderr: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(command, args, { input, encoding: "utf8" });
  return { stdout, stderr, status };
}

describe("bin/landscaper gotemplate", () => {
  it("prints the output as it is", () => {
    const result = landscaper(["gotemplate", "-f", "-"], '{{ list 1 2 | toJson }} {{ "ä" | upper }}');
    expect(result).toEqual({ stdout: "[1,2] Ä", stderr: "", status: 0 });
  });

  it("ends with 1 and the error's text for a template that fails", () => {
    expect(landscaper(["gotemplate", "--helm", "-f", "-"], "{{ .Values.a.b }}")).toEqual({
      stdout: "",
      stderr:
        'template: t/templates/stdin:1:10: executing "t/templates/stdin" at <.Values.a.b>: nil pointer evaluating interface {}.b\n',
      status: 1,
    });
  });

  it.each([
    [[], /^error: -f, --file: /],
    [["--nope"], /^error: unknown option '--nope'/],
    [["-f", "-", "--missingkey", "x"], /^error: --missingkey: /],
  ])("ends with 2 for %j", (args, stderr) => {
    const result = landscaper(["gotemplate", ...args], "");
    expect([result.stdout, result.status]).toEqual(["", 2]);
    expect(result.stderr).toMatch(stderr);
  });

  it("makes random values, and renders much without a hang", () => {
    const { stdout, status } = landscaper(
      ["gotemplate", "-f", "-"],
      "{{ range until 50000 }}{{ randAlpha 8 }}{{ end }}",
    );
    expect([status, /^[A-Za-z]{400000}$/.test(stdout)]).toEqual([0, true]);
  });
});
