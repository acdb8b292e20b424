import { describe, expect, it } from "@jest/globals";
import { addsFinalizers, cleanupUsage, parseCleanupFlags } from "./cleanup-flags.ts";

describe("the flags of landscaper-core cleanup", () => {
  it("are optional", () => {
    expect(parseCleanupFlags([])).toEqual({
      deployment: undefined,
      timeoutMs: 480_000,
      kubeconfig: undefined,
      landscaperKubeconfig: undefined,
      help: false,
    });
  });

  it("name the Deployment and both clusters", () => {
    const words = ["--deployment=ls/core", "--timeout=1m", "--kubeconfig=/host", "--landscaper-kubeconfig=/hub"];
    expect(parseCleanupFlags(words)).toEqual({
      deployment: { namespace: "ls", name: "core" },
      timeoutMs: 60_000,
      kubeconfig: "/host",
      landscaperKubeconfig: "/hub",
      help: false,
    });
  });

  it("are in the usage", () => {
    for (const flag of ["--deployment", "--timeout", "--kubeconfig", "--landscaper-kubeconfig"]) {
      expect(cleanupUsage).toContain(flag);
    }
  });

  it("are refused if they are unknown, with the name of the command", () => {
    expect(() => parseCleanupFlags(["--all"])).toThrow("landscaper-core cleanup: Unknown option '--all'");
  });
});

it.each([
  [undefined, true],
  ["", true],
  ["central-landscaper", true],
  ["main", false],
])("a core with LANDSCAPER_MODE %j adds finalizers: %s", (mode, expected) => {
  expect(addsFinalizers(mode)).toBe(expected);
});
