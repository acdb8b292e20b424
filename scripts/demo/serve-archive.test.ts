import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { serveArchive, type ServedArchive } from "./serve-archive.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "landscaper-served-"));
const ctf = join(folder, "ctf");
const landscape = "example.com/shop/landscape";
let served: ServedArchive;

/** The command beside the server, which is in this process. */
async function component(...words: readonly string[]): Promise<{ readonly status: unknown; readonly output: string }> {
  const child = spawn(join(root, "bin/landscaper"), ["component", ...words], { env: { ...process.env, HOME: folder } });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, output: stdout + stderr };
}

describe("serveArchive with samples/landscape", () => {
  beforeAll(async () => {
    const constructor = join(root, "samples/landscape/component-constructor.yaml");
    await component("create", "--constructor", constructor, "--ctf", ctf);
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    writeFileSync(join(folder, "signer.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
    writeFileSync(join(folder, "signer.pub"), publicKey.export({ type: "spki", format: "pem" }));
    const signing = ["--signature", "release", "--private-key", join(folder, "signer.pem")];
    await component("sign", `${ctf}//${landscape}`, ...signing);
    served = await serveArchive(ctf);
  });
  afterAll(async () => {
    await served?.stop();
    rmSync(folder, { recursive: true });
  });

  it("lists a component and verifies its signature as from a registry", async () => {
    const place = `${served.url}//${landscape}`;
    expect(await component("list", place)).toEqual({ status: 0, output: "1.0.0\n" });
    const verified = await component(
      "verify",
      place,
      "--signature",
      "release",
      "--public-key",
      join(folder, "signer.pub"),
    );
    expect(verified).toEqual({
      status: 0,
      output: [
        `${landscape}:1.0.0`,
        "example.com/shop/frontend:1.0.0",
        "example.com/shop/database:1.0.0",
        `${landscape}:1.0.0: resource "blueprint"`,
        'example.com/shop/frontend:1.0.0: resource "chart"',
        'example.com/shop/frontend:1.0.0: resource "blueprint"',
        'example.com/shop/database:1.0.0: resource "settings"',
        'example.com/shop/database:1.0.0: resource "blueprint"',
      ]
        .map((line) => `verified: component ${line}\n`)
        .join(""),
    });
  });

  it("returns an error for a component that does not exist", async () => {
    const other = await component("get", `${served.url}//example.com/shop/none:1.0.0`);
    expect(other).toEqual({
      status: 1,
      output: `error: ${served.url}: there is no component example.com/shop/none:1.0.0\n`,
    });
  });
});
