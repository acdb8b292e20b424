// The start of the services as processes, before an API server answers.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { stringify } from "yaml";
import { firstLogLine } from "../src/services/first-log-line.ts";
import { serviceNames } from "../src/services/service-process.ts";

const dist = join(import.meta.dirname, "../../dist");

let folder: string;
let kubeconfig: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "service-start-"));
  kubeconfig = join(folder, "kubeconfig.yaml");
  const named = { name: "hub" };
  writeFileSync(
    kubeconfig,
    stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "hub",
      contexts: [{ ...named, context: { cluster: "hub", user: "hub" } }],
      // Nothing listens there.
      clusters: [{ ...named, cluster: { server: "https://127.0.0.1:9" } }],
      users: [{ ...named, user: { token: "secret-token" } }],
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a service whose API server does not answer", () => {
  it.each(serviceNames)("%s first says that its configuration is valid", async (name) => {
    const configFile = join(folder, `${name}.yaml`);
    writeFileSync(configFile, "{}\n");
    const args = [join(dist, `${name}.mjs`), "--kubeconfig", kubeconfig, "--config", configFile];
    const { text } = await firstLogLine(process.execPath, args);
    const [line = ""] = text.split("\n");
    const { level, configFile: told, server, msg } = JSON.parse(line) as Record<string, unknown>;
    expect({ level, told, server, msg }).toEqual({
      level: "info",
      told: configFile,
      server: "127.0.0.1:9",
      msg: "the configuration is valid; starting",
    });
  });

  it.each(serviceNames)("%s ends with an error when its configuration is not valid", async (name) => {
    const configFile = join(folder, `${name}-wrong.yaml`);
    writeFileSync(configFile, "targets: 1\n");
    const args = [join(dist, `${name}.mjs`), "--kubeconfig", kubeconfig, "--config", configFile];
    const mistake = `error: ${configFile}: not a valid `;
    await expect(firstLogLine(process.execPath, args)).rejects.toThrow(mistake);
  });
});
