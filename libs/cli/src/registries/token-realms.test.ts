import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { newFolder } from "@landscaper/components/testing";
import { startScriptedRegistry, type ScriptedRegistry } from "@landscaper/oci/testing";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { runProgram, type Outcome } from "../../test/program.ts";

const folder = newFolder();
const authorityFile = join(folder, "ca.pem");
const pair = Buffer.from("me:hunter2").toString("base64");
let registry: ScriptedRegistry;
let tokens: ScriptedRegistry;

beforeAll(async () => {
  const authority = createCertificateAuthority("test", Date.now);
  const tls = authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] });
  writeFileSync(authorityFile, authority.cert);
  tokens = await startScriptedRegistry((_request, response) => response.end(JSON.stringify({ token: "t" })), tls);
  registry = await startScriptedRegistry(({ authorization }, response) => {
    if (authorization === "Bearer t") response.end(JSON.stringify({ tags: ["1.0.0"] }));
    else response.writeHead(401, { "www-authenticate": `Bearer realm="${tokens.origin}/token"` }).end();
  }, tls);
  mkdirSync(join(folder, ".docker"));
  writeFileSync(join(folder, ".docker/config.json"), JSON.stringify({ auths: { [registry.host]: { auth: pair } } }));
});
beforeEach(() => void tokens.requests.splice(0));
afterAll(async () => {
  await Promise.all([registry.stop(), tokens.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const run = async (words: readonly string[]): Promise<Outcome> =>
  await runProgram([...words, "--ca-file", authorityFile], { environment: { HOME: folder } });

describe("the password of a registry that names a token service on another host", () => {
  const component = (): string => `${registry.host}/team//example.com/app`;
  const commands: readonly (readonly [string, () => readonly string[], string])[] = [
    ["component list", () => [component()], "error"],
    ["component get", () => [`${component()}:1.0.0`], "error: component example.com/app:1.0.0"],
    ["component download", () => [component(), "--resource", "a", "-o", "-"], "error"],
    ["component transfer", () => [component(), join(folder, "ctf")], "error"],
    ["helm template", () => [`oci://${registry.host}/charts/web`], "Error"],
  ];

  it.each(commands)("is not sent there by landscaper %s, whose error names the flag", async (name, words, start) => {
    const { stdout, stderr, exitCode } = await run([...name.split(" "), ...words()]);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: "",
      stderr: `${start}: ${registry.host}: its credentials are not sent to the token service ${tokens.host}, another host; use --allow-token-realm ${tokens.host} if both belong together\n`,
      exitCode: 1,
    });
    expect(tokens.requests).toEqual([]);
  });

  it.each(commands)("is sent there by landscaper %s --allow-token-realm HOST", async (name, words) => {
    const { stderr } = await run([...name.split(" "), ...words(), "--allow-token-realm", tokens.host]);
    expect(stderr).not.toContain("--allow-token-realm");
    expect(tokens.requests.map(({ authorization }) => authorization)).toContain(`Basic ${pair}`);
  });

  it("is sent to a host that one of several flags names", async () => {
    const hosts = ["other.example", tokens.host].flatMap((host) => ["--allow-token-realm", host]);
    expect(await run(["component", "list", component(), ...hosts])).toEqual({
      stdout: "1.0.0\n",
      stderr: "",
      exitCode: 0,
    });
  });
});

it.each(["https://login.example", "login.example/token", "me@login.example", "", "login.example?x"])(
  "--allow-token-realm refuses %j, which is not a host",
  async (host) => {
    const words = ["component", "list", `${registry.host}/team//example.com/app`, "--allow-token-realm", host];
    expect(await run(words)).toEqual({
      stdout: "",
      stderr: `error: --allow-token-realm: expected HOST or HOST:PORT, found "${host}"\n`,
      exitCode: 2,
    });
  },
);
