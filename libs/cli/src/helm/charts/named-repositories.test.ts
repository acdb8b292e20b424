import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { parseTemplateWords } from "../template/template-flags.ts";
import { findNamedRepository, readNamedRepositories, type NamedRepository } from "./named-repositories.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-repositories-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, repositories: readonly object[]): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ apiVersion: "", repositories }));
  return file;
}

function read(words: readonly string[] = [], environment: Record<string, string> = {}): readonly NamedRepository[] {
  return readNamedRepositories(parseTemplateWords(["rel", "x", ...words]), {
    environment: { HOME: folder, ...environment },
  });
}

const names = (repositories: readonly NamedRepository[]): string[] => repositories.map(({ name }) => name);

describe("repositories of helm repo add", () => {
  it("are read where Helm has them", () => {
    expect(read()).toEqual([]);
    write(".config/helm/repositories.yaml", [{ name: "home", url: "https://a" }]);
    expect(names(read())).toEqual(["home"]);
    write("xdg/helm/repositories.yaml", [{ name: "xdg", url: "https://a" }]);
    expect(names(read([], { XDG_CONFIG_HOME: join(folder, "xdg") }))).toEqual(["xdg"]);
    write("own/repositories.yaml", [{ name: "own", url: "https://a" }]);
    expect(names(read([], { HELM_CONFIG_HOME: join(folder, "own") }))).toEqual(["own"]);
    const file = write("variable.yaml", [{ name: "variable", url: "https://a" }]);
    expect(names(read([], { HELM_REPOSITORY_CONFIG: file }))).toEqual(["variable"]);
    const flag = write("flag.yaml", [{ name: "flag", url: "https://a" }]);
    expect(names(read(["--repository-config", flag], { HELM_REPOSITORY_CONFIG: file }))).toEqual(["flag"]);
  });

  it("are found by name, unless they are reached in ways that are not followed", () => {
    const login = { username: "robot", password: "hunter2", caFile: "ca.crt", insecure_skip_tls_verify: true };
    const file = write(".config/helm/repositories.yaml", [
      { name: "a", url: "https://a", ...login, pass_credentials_all: false, certFile: "" },
      { name: "b", url: "https://b", certFile: "client.crt" },
      { name: "c" },
    ]);
    const repositories = read();
    const { insecure_skip_tls_verify: skipsTLSVerify, ...words } = login;
    expect(findNamedRepository(repositories, "a")).toEqual({
      name: "a",
      url: "https://a",
      ...words,
      skipsTLSVerify,
      refusal: undefined,
    });
    expect(() => findNamedRepository(repositories, "b")).toThrow(
      `${file}: repository b: certFile: is not followed; fetch the chart first`,
    );
    expect(() => findNamedRepository(repositories, "c")).toThrow("no URL found for repository c");
    expect(() => findNamedRepository(repositories, "d")).toThrow("repo d not found");
  });

  it("are not guessed where the file is broken", () => {
    writeFileSync(join(folder, "broken.yaml"), "a: [");
    const file = join(folder, "broken.yaml");
    expect(() => read(["--repository-config", file])).toThrow(`${file}: `);
  });
});
