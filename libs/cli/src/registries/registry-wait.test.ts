import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newFolder } from "@landscaper/components/testing";
import { startScriptedRegistry, type ScriptedRegistry } from "@landscaper/oci/testing";
import { createFakeClock, waitFor } from "@landscaper/testkit";
import { runProgram, type Outcome } from "../../test/program.ts";

const folder = newFolder();
let registry: ScriptedRegistry;
beforeAll(async () => {
  // The answer begins immediately, arrives byte by byte, and never ends.
  registry = await startScriptedRegistry((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 5);
    response.once("close", () => clearInterval(timer));
  });
  mkdirSync(join(folder, "blueprint"));
  writeFileSync(join(folder, "blueprint/blueprint.yaml"), "kind: Blueprint\n");
  const ref = { componentName: "example.com/app", version: "1.0.0" };
  const spec = { blueprint: { ref: { resourceName: "blueprint" } }, componentDescriptor: { ref } };
  const meta = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "Installation", metadata: { name: "app" } };
  writeFileSync(join(folder, "installation.yaml"), JSON.stringify({ ...meta, spec }));
});
afterAll(async () => {
  await registry.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command, and advances the clock by each of `ms` once the registry has received a request. */
async function runWithClock(words: readonly string[], ms: readonly number[]): Promise<Outcome> {
  const clock = createFakeClock();
  const known = registry.requests.length;
  const running = runProgram(words, {
    environment: { HOME: folder },
    now: () => clock.now(),
    schedule: (delayMs, callback) => clock.schedule(delayMs, callback),
  });
  await waitFor(() => registry.requests.length > known);
  for (const each of ms) await clock.advance(each);
  const outcome = await running;
  expect(clock.pendingTimers).toBe(0);
  const bytes = /\b[0-9]+ bytes?\b/g;
  return { ...outcome, stderr: outcome.stderr.replaceAll(registry.origin, "REGISTRY").replaceAll(bytes, "N bytes") };
}

describe("a registry that sends one byte at a time", () => {
  it.each([
    ["component list", () => [`${registry.origin}/team//example.com/app`], "tags/list"],
    ["component get", () => [`${registry.origin}/team//example.com/app:1.0.0`], "manifests/1.0.0"],
    [
      "component transfer",
      () => [`${registry.origin}/team//example.com/app:1.0.0`, join(folder, "ctf")],
      "manifests/1.0.0",
    ],
    [
      "render",
      () => ["--installation", join(folder, "installation.yaml"), "--repository", `${registry.origin}/team`],
      "manifests/1.0.0",
    ],
  ])("does not hang landscaper %s silently: the command gives up after 10 minutes", async (name, words, path) => {
    const { stdout, stderr, exitCode } = await runWithClock([...name.split(" "), ...words()], [5_000, 10_000, 585_000]);
    const place = `REGISTRY/v2/team/component-descriptors/example.com/app/${path}`;
    const [first, second, ...others] = stderr.split("\n");
    expect([stdout, first, second, exitCode]).toEqual([
      "",
      `waiting for ${place}: N bytes in 5s`,
      `waiting for ${place}: N bytes in 15s`,
      1,
    ]);
    const problem = `${place} (N bytes received): no complete answer within 10m; allow more time with --registry-timeout DURATION`;
    expect(others.at(-2)).toMatch(/^error: /);
    expect(others.at(-2)).toContain(problem);
    // The intervals of the reports grow.
    expect(others.length).toBeLessThan(15);
  });

  it.each([
    ["a registry", () => [registry.origin.replace("http:", "oci:") + "/charts/web"], "v2/charts/web/tags/list"],
    ["a repository", () => ["web", "--repo", registry.origin], "index.yaml"],
    ["a URL", () => [`${registry.origin}/web-1.0.0.tgz`], "web-1.0.0.tgz"],
  ])("does not hang landscaper helm template with a chart of %s", async (_what, words, path) => {
    const call = ["helm", "template", ...words(), "--plain-http", "--registry-timeout", "20s"];
    const { stdout, stderr, exitCode } = await runWithClock(call, [5_000, 15_000]);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: "",
      stderr: [
        `waiting for REGISTRY/${path}: N bytes in 5s`,
        `waiting for REGISTRY/${path}: N bytes in 15s`,
        `Error: REGISTRY/${path} (N bytes received): no complete answer within 20s; allow more time with --registry-timeout DURATION`,
        "",
      ].join("\n"),
      exitCode: 1,
    });
  });
});

it.each(["0s", "soon"])("--registry-timeout refuses %s", async (text) => {
  const words = ["component", "list", `${registry.origin}/team//example.com/app`, "--registry-timeout", text];
  expect(await runProgram(words, { environment: { HOME: folder } })).toEqual({
    stdout: "",
    stderr: `error: --registry-timeout: expected a duration such as "90s" or "1h30m", found "${text}"\n`,
    exitCode: 2,
  });
});
