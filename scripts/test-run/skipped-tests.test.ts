import { describe, expect, it } from "@jest/globals";
import { checkSkips } from "./skipped-tests.ts";

const skip = (words: string): string =>
  `libs/a/src/a.test.ts: ${words}: skip tests by describeUnless of @landscaper/testkit, with the reason`;
const program = (name: string): string =>
  `libs/a/src/a.test.ts: ${name}: find programs by findProgram of @landscaper/testkit: not every machine has it`;

describe("checkSkips", () => {
  it.each<readonly [text: string, problems: readonly string[]]>([
    ['(has ? describe : describe.skip)("charts", body);', [skip("describe.skip")]],
    ['it.skip("waits", body); test.skip.each([1])', [skip("it.skip"), skip("test.skip")]],
    ['it.todo("sees processes: there is no /proc");', [skip("it.todo")]],
    ['xit("waits", body);', [skip("xit")]],
    ['describeUnless(programAbsence("gpg"), describe)("signatures", body);', []],
    ["scanner.skip(3);", []],
    ['spawnSync("gpg", ["--version"]);', [program("gpg")]],
    ["execFile(\n  'docker-registry', args);", [program("docker-registry")]],
    ['spawn("bash", ["-c", script]);', []],
    ["spawn(process.execPath, args);", []],
    ['const binary = existsSync("/usr/sbin/nats-server");', [program("nats-server")]],
  ])("checks the skips of %j", (text, problems) => {
    expect(checkSkips("libs/a/src/a.test.ts", text)).toEqual(problems);
  });

  it("lets the shared function skip", () => {
    const text = "describe.skip(title, body)";
    expect(checkSkips("libs/testkit/src/programs/describe-unless.ts", text)).toEqual([]);
  });
});
