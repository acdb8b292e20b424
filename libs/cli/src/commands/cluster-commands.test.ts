import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it, beforeAll } from "@jest/globals";
import { resources } from "@landscaper/api";
import { fromYaml } from "@landscaper/goyaml";
import { useInstallations } from "../../test/installation-bench.ts";
import { deployItem, ended, execution, failure, open } from "../../test/objects.ts";
import { runProgram } from "../../test/program.ts";

const bench = useInstallations();
const { landscaper, put, setStatus } = bench;

describe("landscaper tree", () => {
  beforeAll(async () => {
    const root = await put({ name: "shop", status: ended("Failed") });
    const sub = await put({ name: "db-1", item: "database", parent: root, status: ended("Succeeded") });
    await put({ name: "quiet", status: ended("Succeeded") });
    const own = await bench.cluster.put(resources.execution, execution(root, ended("Failed")));
    await bench.cluster.put(resources.execution, execution(sub, ended("Succeeded")));
    const error = { ...ended("Failed"), ...failure("InvalidManifest", "manifests[0]: no kind") };
    await bench.cluster.put(resources.deployItem, deployItem(own, { item: "web", status: error }));
    await bench.cluster.put(resources.deployItem, deployItem(own, { item: "api", status: ended("Succeeded") }));
  });

  it("keeps only the paths to what failed", async () => {
    const { stdout, exitCode } = await landscaper("tree --failed");
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll(/ {2,}\d+[smhd]?$/gm, "").replaceAll(/ {2,}/g, "  ")).toBe(
      [
        "Installation shop  Failed",
        "└─ Execution shop  Failed",
        "  └─ DeployItem web (shop-web) landscaper.gardener.cloud/mock  Failed",
        "  ! manifests[0]: no kind",
        "",
      ].join("\n"),
    );
    expect((await landscaper("tree quiet --failed")).stdout).toBe('nothing has failed in namespace "ns"\n');
  });

  it("looks into the namespace of the kubeconfig's context", async () => {
    const [, , , kubeconfig = ""] = bench.cluster.flags;
    const config = fromYaml(readFileSync(kubeconfig, "utf8")) as { contexts: { context: Record<string, string> }[] };
    for (const { context } of config.contexts) context["namespace"] = "ns";
    const file = `${kubeconfig}-of-ns`;
    writeFileSync(file, JSON.stringify(config));
    const { stdout } = await runProgram(["tree", "shop", "-o", "json", "--kubeconfig", file]);
    expect(JSON.parse(stdout)).toMatchObject({ namespace: "ns", installations: [{ name: "shop" }] });
  });

  it("prints JSON of a stable shape", async () => {
    const { stdout } = await landscaper("tree shop -o json");
    const leaf = {
      type: null,
      running: false,
      deleting: false,
      changed: false,
      created: expect.any(String),
      error: null,
      warning: null,
      children: [],
    };
    expect(JSON.parse(stdout)).toEqual({
      namespace: "ns",
      installations: [
        {
          ...leaf,
          kind: "Installation",
          name: "shop",
          item: null,
          phase: "Failed",
          children: [
            {
              ...leaf,
              kind: "Execution",
              name: "shop",
              item: null,
              phase: "Failed",
              children: [
                {
                  ...leaf,
                  kind: "DeployItem",
                  name: "shop-api",
                  item: "api",
                  type: "landscaper.gardener.cloud/mock",
                  phase: "Succeeded",
                },
                {
                  ...leaf,
                  kind: "DeployItem",
                  name: "shop-web",
                  item: "web",
                  type: "landscaper.gardener.cloud/mock",
                  phase: "Failed",
                  error: "manifests[0]: no kind",
                },
              ],
            },
            {
              ...leaf,
              kind: "Installation",
              name: "db-1",
              item: "database",
              phase: "Succeeded",
              children: [{ ...leaf, kind: "Execution", name: "db-1", item: null, phase: "Succeeded" }],
            },
          ],
        },
      ],
    });
  });

  it("draws a mermaid flowchart", async () => {
    expect((await landscaper("tree shop --failed -o mermaid")).stdout).toBe(`flowchart TD
  n0["Installation shop<br>Failed"]:::failed
  n1["Execution shop<br>Failed"]:::failed
  n0 --> n1
  n2["DeployItem web<br>Failed"]:::failed
  n1 --> n2
  classDef succeeded fill:#d7f5d7,stroke:#2e7d32
  classDef failed fill:#fbd7d7,stroke:#c62828
  classDef running fill:#fff3cd,stroke:#b8860b
`);
  });

  it("shows changes until it is interrupted", async () => {
    await put({ name: "moving", status: open("Init") });
    const controller = new AbortController();
    let moved: Promise<unknown> | undefined;
    const { stdout, exitCode } = await landscaper("tree moving --watch", {
      signal: controller.signal,
      onWrite: (text) => {
        moved ??= setStatus("moving", { phase: "Completing" });
        if (text.includes("Completing")) controller.abort();
      },
    });
    await moved;
    expect(exitCode).toBe(0);
    expect(stdout).toBe("--- 00:10:00\nInstallation moving  Init\n--- 00:10:00\nInstallation moving  Completing\n");
  });

  it.each([
    ["tree none", 1, 'error: there is no Installation "none" in namespace "ns"\n'],
    ["tree -o xml", 2, 'error: -o: expected text, json, mermaid, found "xml"\n'],
    ["tree -w -o json", 2, "error: --watch shows text; it does not go with -o json\n"],
  ])("%s is refused", async (...[words, exitCode, stderr]) => {
    expect(await landscaper(words)).toEqual({ stdout: "", stderr, exitCode });
  });
});

it("says so when a namespace is empty", async () => {
  const [, , ...kubeconfig] = bench.cluster.flags;
  const words = ["tree", "-n", "empty", ...kubeconfig];
  expect(await runProgram(words)).toEqual({
    stdout: "",
    stderr: 'error: there are no Installations in namespace "empty"\n',
    exitCode: 1,
  });
  expect((await runProgram([...words, "-o", "json"])).stdout).toBe(
    '{\n  "namespace": "empty",\n  "installations": []\n}\n',
  );
});

describe("landscaper why", () => {
  it("reads the cluster, names of Targets included", async () => {
    const app = await put({ name: "waiting", status: open("Progressing") });
    const own = await bench.cluster.put(resources.execution, execution(app, open("Progressing")));
    const spec = { target: { name: "blue" } };
    const status = { ...open("Progressing"), phase: "", jobIDGenerationTime: "2026-01-01T00:06:00Z" };
    await bench.cluster.put(resources.deployItem, deployItem(own, { item: "chart", spec, status }));
    const lines = (leaf: string) =>
      [
        "Installation waiting (Progressing): waits for its sub-objects",
        "  Execution waiting (Progressing): waits for 1 of 1 deploy item",
        `    DeployItem chart (waiting-chart) (not started): waits for 4m for a deployer of type landscaper.gardener.cloud/mock; ${leaf}`,
        "",
      ].join("\n");
    expect((await landscaper("why waiting")).stdout).toBe(
      lines(
        'its Target "blue" does not exist\n      hint: create the Target, or correct the import that the item takes it from',
      ),
    );
    await bench.cluster.put(resources.target, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { name: "blue" },
      spec: { type: "example.org/cluster", config: { password: "never printed" } },
    });
    const { stdout } = await landscaper("why inst/waiting");
    expect(stdout).toBe(
      lines(
        "none has ever taken an item of this type in the namespace\n      hint: check that a deployer for the type runs whose target selectors accept the Target",
      ),
    );
    expect((await landscaper("why di/waiting-chart")).stdout).toMatch(/^DeployItem chart .* for 4m/);
  });

  it.each([
    ["why exec/none", 1, 'error: there is no Execution "none" in namespace "ns"\n'],
    ["why pod/none", 2, 'error: expected inst/NAME, exec/NAME or di/NAME, found the kind "pod"\n'],
  ])("%s is refused", async (...[words, exitCode, stderr]) => {
    expect(await landscaper(words)).toEqual({ stdout: "", stderr, exitCode });
  });
});
