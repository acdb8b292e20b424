import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  artifactOf,
  createTestKey,
  descriptorOf,
  digest,
  newFolder,
  writeTransport,
} from "@landscaper/components/testing";
import { startScriptedRegistry } from "@landscaper/oci/testing";
import { parse } from "yaml";
import { escaped, expectClean, forbiddenIn, hostile, shown } from "../../test/hostile.ts";
import { runProgram } from "../../test/program.ts";

const terminal = { rows: () => 24 };
const folder = newFolder();
const archive = join(folder, "archive");
const key = join(folder, "key.pem");
const name = "example.com/app";
const place = `${archive}//${name}`;

/** A descriptor whose free texts are hostile. */
function hostileDescriptor(): object {
  const access = { type: hostile };
  const resources = { text: { content: "", type: hostile, access } };
  const descriptor = descriptorOf({ name, version: "1.0.0", resources }) as { component: { provider: string } };
  const digest = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "jsonNormalisation/v3", value: "00" };
  const signature = { algorithm: "RSASSA-PKCS1-V1_5", mediaType: "application/vnd.ocm.signature.rsa", value: "00" };
  return {
    ...descriptor,
    component: { ...descriptor.component, provider: hostile },
    signatures: [{ name: hostile, digest, signature }],
  };
}

beforeAll(() => {
  mkdirSync(archive);
  // YAML allows these characters only as escapes.
  const text = JSON.stringify(hostileDescriptor()).replaceAll(JSON.stringify(hostile).slice(1, -1), escaped);
  writeFileSync(join(archive, "component-descriptor.yaml"), text);
  writeFileSync(key, createTestKey().publicKey);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (words: readonly string[], options: Parameters<typeof runProgram>[1] = {}) =>
  await runProgram(["component", ...words], { environment: { HOME: folder }, ...options });

describe("a hostile component descriptor", () => {
  it.each([
    ["resources", place],
    ["download", place, "--resource", "text", "-o", join(folder, "out")],
    ["verify", place, "--signature", "release", "--public-key", key],
    ["get", place, "-o", "json"],
  ])("is harmless in the output of landscaper component %s on a terminal", async (...words) => {
    expectClean(await run(words, { terminal }));
  });

  it("keeps its values when landscaper component get prints it as YAML on a terminal", async () => {
    const onTerminal = await run(["get", place], { terminal });
    expect(forbiddenIn(onTerminal.stdout)).toEqual([]);
    const { stdout } = await run(["get", place]);
    expect(parse(onTerminal.stdout)).toEqual(parse(stdout));
    expect(parse(stdout)).toMatchObject({ component: { provider: hostile } });
  });

  it("reaches a pipe unchanged, and a terminal with --raw", async () => {
    const { stdout } = await run(["get", place, "-o", "json"]);
    expect(stdout).toContain("\u202E");
    expect(await run(["get", place, "-o", "json", "--raw"], { terminal })).toEqual({ stdout, stderr: "", exitCode: 0 });
  });
});

describe("landscaper component download -o -", () => {
  const bytes = Buffer.concat([Buffer.from(hostile), Buffer.from([0xff, 0xfe, 0x0a])]);
  const words = ["download", `${join(folder, "ctf")}//${name}`, "--resource", "text", "-o", "-"];
  beforeAll(async () => {
    writeTransport(join(folder, "ctf"), [
      await artifactOf({ name, version: "1.0.0", resources: { text: { content: bytes } } }),
    ]);
  });

  it("prints the content of a resource unchanged to a pipe or with --raw, and cleaned to a terminal", async () => {
    const unchanged = { stdout: bytes.toString("utf8"), stderr: "", exitCode: 0 };
    expect(await run(words)).toEqual(unchanged);
    expect(await run([...words, "--raw"], { terminal })).toEqual(unchanged);
    expect(await run(words, { terminal })).toEqual({ ...unchanged, stdout: `${shown}\uFFFD\uFFFD\n` });
  });

  it("prints nothing if the content does not match its digest", async () => {
    const file = join(folder, "ctf/blobs", digest(bytes).replace(":", "."));
    writeFileSync(file, Buffer.from(bytes).fill("x", 0, 1));
    const { stdout, exitCode } = await run(words);
    expect([stdout, exitCode]).toEqual(["", 1]);
    writeFileSync(file, bytes);
  });

  it("is refused with --unpack", async () => {
    expect(await run([...words, "--unpack"])).toEqual({
      stdout: "",
      stderr: "error: --output: expected a folder with --unpack, found -\n",
      exitCode: 2,
    });
  });
});

describe("a hostile registry", () => {
  it("cannot control a terminal by its tags, and landscaper component list prints one tag per line", async () => {
    const registry = await startScriptedRegistry((_request, response) => {
      response.end(JSON.stringify({ name: "app", tags: ["1.0.0", `${hostile}\n2.0.0`] }));
    });
    try {
      const outcome = await run(["list", `${registry.origin}/team//${name}`]);
      expectClean(outcome);
      expect(outcome.stdout).toBe(`1.0.0\n${shown}\\x0a2.0.0\n`);
      const unclear = await run(["get", `${registry.origin}/team//${name}`], { terminal });
      expect(unclear.stderr).toMatch(/^error: example.com\/app: expected a version, one of 1.0.0, /);
      expectClean(unclear);
    } finally {
      await registry.stop();
    }
  });

  it("cannot control a terminal by a text that an error quotes", async () => {
    const registry = await startScriptedRegistry((_request, response) => {
      response.end(JSON.stringify({ schemaVersion: 2, mediaType: hostile }));
    });
    try {
      const outcome = await run(["get", `${registry.origin}/team//${name}:1.0.0`], { terminal });
      expect(outcome).toMatchObject({ stdout: "", exitCode: 1 });
      expect(outcome.stderr).toContain("c<U+202E>d<U+200B>e");
      expect(forbiddenIn(outcome.stderr)).toEqual([]);
    } finally {
      await registry.stop();
    }
  });
});
