import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { readRegistryLogins } from "./registry-logins.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-logins-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, host: string, more: object = {}): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  const auth = Buffer.from("me:hunter2").toString("base64");
  writeFileSync(file, JSON.stringify({ auths: { [host]: { auth } }, ...more }));
}

describe("readRegistryLogins", () => {
  const own = ".config/helm/registry/config.json";
  const named = "named.json";

  it.each<[string, { file?: string; environment?: Record<string, string> }, readonly string[]]>([
    ["Helm's own, then docker's", {}, ["own.org", "docker.org"]],
    ["the named one", { file: named }, ["named.org", "docker.org"]],
    ["that of HELM_REGISTRY_CONFIG", { environment: { HELM_REGISTRY_CONFIG: named } }, ["named.org", "docker.org"]],
    ["that below HELM_CONFIG_HOME", { environment: { HELM_CONFIG_HOME: "helm" } }, ["helm.org", "docker.org"]],
    ["that below XDG_CONFIG_HOME", { environment: { XDG_CONFIG_HOME: "xdg" } }, ["xdg.org", "docker.org"]],
    ["that of DOCKER_CONFIG", { environment: { DOCKER_CONFIG: "helm" } }, ["own.org"]],
    ["none that are not there", { file: "nothing.json", environment: { DOCKER_CONFIG: "helm" } }, []],
  ])("takes %s", (_, { file, environment = {} }, hosts) => {
    write(own, "own.org");
    write(named, "named.org");
    write("helm/registry/config.json", "helm.org");
    write("xdg/helm/registry/config.json", "xdg.org");
    write(".docker/config.json", "docker.org");
    const placed = Object.fromEntries(Object.entries(environment).map(([name, path]) => [name, join(folder, path)]));
    const entries = readRegistryLogins(file === undefined ? undefined : join(folder, file), {
      environment: { HOME: folder, ...placed },
      writeError: (text) => expect(text).toBe(""),
    });
    expect(entries.map(({ host }) => host)).toEqual(hosts);
  });

  it("warns of logins that only a program knows", () => {
    write(own, "own.org", { credsStore: "desktop" });
    let warnings = "";
    readRegistryLogins(undefined, { environment: { HOME: folder }, writeError: (text) => void (warnings += text) });
    const problem = "credsStore names a program, which is not run; it is passed over";
    expect(warnings).toBe(`warning: ${join(folder, own)}: ${problem}\n`);
  });
});
