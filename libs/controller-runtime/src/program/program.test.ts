import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { ApiError } from "../client/api-error.ts";
import { failureMessage, maxMessageBytes } from "./failure-message.ts";
import { runProgram, type ProgramOptions, type ProgramSurroundings } from "./run-program.ts";

const landscaperError = (message: string, hint?: string) =>
  new LandscaperError({ reason: "StateRefused", message, hint });

describe("the message of a failure", () => {
  it("is reason, message and hint of a mistake", () => {
    expect(failureMessage(landscaperError('state: "a" is a link', "remove it"))).toBe(
      'StateRefused: state: "a" is a link\nhint: remove it',
    );
  });

  it("is what an API server has answered", () => {
    const request = { method: "PATCH", path: "/api/v1/namespaces/n/secrets/s" };
    const statusObject = { message: 'secrets "s" is forbidden' };
    expect(failureMessage(new ApiError(request, { status: 403, statusObject }))).toMatch(
      /^PATCH \/api\/v1\/namespaces\/n\/secrets\/s: 403 secrets/,
    );
  });

  it("is what could not be done with a path", () => {
    const error = Object.assign(new Error("x"), { code: "ENOSPC", syscall: "write", path: "/data/ls/shared/a" });
    expect(failureMessage(error)).toBe(
      "cannot write /data/ls/shared/a: no space is left on its device. Free space, or choose another path",
    );
  });

  it("has no values of errors whose message may hold anything, but says where they came from", () => {
    const text = failureMessage(new SyntaxError('Unexpected token in "sentinel"'));
    expect(text).toMatch(/^internal error: SyntaxError\n\s+at /);
    expect(text).not.toContain("sentinel");
    expect(failureMessage("sentinel")).toBe("internal error");
  });

  it("has at most 4096 bytes, and no half characters", () => {
    const text = failureMessage(landscaperError("ä".repeat(3000)));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxMessageBytes);
    expect(Buffer.byteLength(text)).toBeGreaterThan(maxMessageBytes - 3);
    expect(text).toMatch(/^StateRefused: ä+\.\.\.$/);
  });
});

describe("a program", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "landscaper-test-program-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  interface Ended {
    readonly codes: readonly number[];
    readonly stderr: string;
    readonly terminationLog: string | undefined;
  }

  interface RunOptions extends Pick<ProgramOptions, "terminationLog" | "exitCodeOf"> {
    readonly versions?: { readonly node: string };
    readonly stops?: boolean;
  }

  async function run(
    program: (surroundings: ProgramSurroundings) => Promise<void>,
    { versions = { node: "24.0.0" }, terminationLog = join(folder, "log"), stops = false, ...more }: RunOptions = {},
  ): Promise<Ended> {
    const codes: number[] = [];
    let stderr = "";
    await runProgram(program, {
      process: {
        env: { POD_NAME: "pod" },
        on: (name: string, listener: () => void) => {
          if (stops && name === "SIGTERM") listener();
        },
        off: () => {},
        exit: (code: number) => void codes.push(code),
        stderr: {
          write: (text: string) => {
            stderr += text;
          },
        },
        versions,
      },
      terminationLog,
      ...more,
    });
    const written = readUnlessMissing(terminationLog);
    return { codes, stderr, terminationLog: written };
  }

  function readUnlessMissing(file: string): string | undefined {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  }

  it("that has done its work ends with 0, and leaves no message", async () => {
    const ended = await run(async ({ env, log }) => log(`in ${env["POD_NAME"]}`));
    expect(ended).toEqual({ codes: [0], stderr: "in pod\n", terminationLog: undefined });
  });

  it("that fails ends with 1, and says why in its log and to the kubelet", async () => {
    const message = "StateRefused: state: it is too large";
    const ended = await run(async () => {
      throw landscaperError("state: it is too large");
    });
    expect(ended).toEqual({ codes: [1], stderr: `${message}\n`, terminationLog: message });
  });

  it("that fails exits with the code of its error", async () => {
    const program = async (): Promise<void> => {
      throw landscaperError("m");
    };
    const exitCodeOf = (error: unknown): number => (error instanceof LandscaperError ? 2 : 1);
    expect((await run(program, { exitCodeOf })).codes).toEqual([2]);
  });

  it("that fails because it is stopped ends with 1", async () => {
    const ended = await run(async ({ signal }) => signal.throwIfAborted(), { stops: true });
    expect(ended.codes).toEqual([1]);
  });

  it("ends with 1 where the kubelet's file cannot be written", async () => {
    const terminationLog = join(folder, "is-a-folder");
    mkdirSync(terminationLog);
    const ended = await run(
      async () => {
        throw landscaperError("x");
      },
      { terminationLog },
    );
    expect(ended).toMatchObject({ codes: [1], stderr: `StateRefused: x\n${terminationLog} cannot be written\n` });
  });

  it("is not called on a Node that is too old", async () => {
    let isCalled = false;
    const ended = await run(
      async () => {
        isCalled = true;
      },
      { versions: { node: "18.0.0" } },
    );
    expect([ended.codes, isCalled]).toEqual([[1], false]);
  });
});
