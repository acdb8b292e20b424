import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { cleanupUsage, parseCleanupFlags } from "./cleanup-flags.ts";

const required = ["--deployer-id=ls.edge", "--namespace=programs"];

function messageOf(words: readonly string[]): string {
  try {
    parseCleanupFlags(words);
  } catch (error) {
    if (error instanceof LandscaperError) return error.message;
  }
  return "accepted";
}

describe("the command cleanup", () => {
  it("takes its flags", () => {
    expect(
      parseCleanupFlags([...required, "--deployment=ls/edge", "--keep-state", "--timeout=5m", "--kubeconfig=/k"]),
    ).toEqual({
      deployerId: "ls.edge",
      namespace: "programs",
      deployment: { namespace: "ls", name: "edge" },
      keepsState: true,
      timeoutMs: 300_000,
      kubeconfig: "/k",
      help: false,
    });
    expect(parseCleanupFlags(required)).toMatchObject({ deployment: undefined, keepsState: false, timeoutMs: 480_000 });
  });

  it("prints each flag for --help, and asks for nothing else then", () => {
    expect(parseCleanupFlags(["--help"]).help).toBe(true);
    for (const flag of ["--deployer-id", "--namespace", "--deployment", "--keep-state", "--timeout", "--kubeconfig"]) {
      expect(cleanupUsage).toContain(flag);
    }
  });

  it.each<readonly [string, readonly string[]]>([
    ["--deployer-id is required", ["--namespace=programs"]],
    ["--namespace is required", ["--deployer-id=edge", "--namespace="]],
    ['--deployment: expected NAMESPACE/NAME, found "edge"', [...required, "--deployment=edge"]],
    ['--deployment: expected NAMESPACE/NAME, found "a/b/c"', [...required, "--deployment=a/b/c"]],
    ['--timeout: expected a duration such as 480s, found "soon"', [...required, "--timeout=soon"]],
    ["Unknown option '--all'", [...required, "--all"]],
  ])("refuses with %s", (message, words) => {
    expect(messageOf(words)).toContain(`container-deployer cleanup: ${message}`);
  });
});
