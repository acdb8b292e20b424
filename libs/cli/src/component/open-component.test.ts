import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { runProgram } from "../../test/program.ts";
import { explainRegistry, isFolder } from "./open-component.ts";

it.each<[string, boolean]>([
  ["out", true],
  ["out/ctf", true],
  ["shop.ctf", true],
  ["Shop-1.0.CTF", true],
  ["./registry.example", true],
  ["/tmp/registry.example", true],
  ["localhost", false],
  ["localhost/team", false],
  ["localhost:5000", false],
  ["registry.example", false],
  ["registry.example/team", false],
  ["registry.example/shop.ctf", false],
  ["shop.ctf:5000", false],
  ["http://shop.ctf", false],
])("isFolder of %s, which does not exist, is %s", (repository, want) => {
  expect(isFolder(repository)).toBe(want);
});

it("explains that a path without a folder was taken for a registry that cannot be reached", async () => {
  const { stderr, exitCode } = await runProgram(["component", "list", "localhost:1/out//example.com/app"]);
  expect(stderr).toBe(
    "error: https://localhost:1/v2/out/component-descriptors/example.com/app/tags/list: connection refused; start the server, or correct the host of the URL\n" +
      "No folder or file localhost:1/out exists, so it was taken for a registry. Correct the path if you mean a folder.\n",
  );
  expect(exitCode).toBe(1);
});

describe("explainRegistry", () => {
  const failure = (reason: string, host?: string): LandscaperError =>
    new LandscaperError({
      reason,
      host,
      message: "https://missing/: getaddrinfo ENOTFOUND",
      codes: [],
      retry: "backoff",
    });

  it.each([["missing"], ["missing/folder"], ["missing.ctf"], ["missing:443/folder"], ["missing:5000"]])(
    "names the folder %s that does not exist",
    (name) => {
      const error = failure("RegistryUnreachable", name.split("/")[0]?.replace(":443", ""));
      expect(explainRegistry(error, ["other", name])).toMatchObject({
        message: error.message,
        hint: `No folder or file ${name} exists, so it was taken for a registry. Correct the path if you mean a folder.`,
      });
    },
  );

  it.each<[string, LandscaperError, string]>([
    ["a repository with a scheme", failure("RegistryUnreachable", "missing"), "https://missing"],
    ["another host", failure("RegistryUnreachable", "other.example"), "missing"],
    ["an unknown host", failure("RegistryUnreachable"), "missing"],
    ["an answer of the registry", failure("RegistryNotFound", "missing"), "missing"],
  ])("leaves the error of %s unchanged", (...[, error, name]) => {
    expect(explainRegistry(error, [name])).toBe(error);
  });
});
