import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
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

describe("explainRegistry", () => {
  const failure = (reason: string, url: string): LandscaperError =>
    new LandscaperError({ reason, message: `${url}: getaddrinfo ENOTFOUND`, codes: [], retry: "backoff" });

  it.each([["missing"], ["missing/folder"], ["missing.ctf"]])("names the folder %s that does not exist", (name) => {
    const error = failure("RegistryUnreachable", `https://${name.split("/")[0]}/v2/x/tags/list`);
    expect(explainRegistry(error, ["other", name])).toMatchObject({
      message: error.message,
      hint: `No folder or file ${name} exists, so it was taken for a registry. Correct the path if you mean a folder.`,
    });
  });

  it.each<[string, LandscaperError, string]>([
    ["a repository with a scheme", failure("RegistryUnreachable", "https://missing/v2/x"), "https://missing"],
    ["another host", failure("RegistryUnreachable", "https://other.example/v2/x"), "missing"],
    ["an answer of the registry", failure("RegistryNotFound", "https://missing/v2/x"), "missing"],
  ])("leaves the error of %s unchanged", (...[, error, name]) => {
    expect(explainRegistry(error, [name])).toBe(error);
  });
});
