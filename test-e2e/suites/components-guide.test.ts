// docs/guide/components.md: its commands and objects as they stand there, on the components of samples/landscape.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { createKubeconfig, describeUnless, programAbsence } from "@landscaper/testkit";
import { parse, stringify } from "yaml";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const root = join(import.meta.dirname, "../..");
const sample = join(root, "samples/landscape");
const guide = readGuideExamples("components.md");

it("the guide to components has no example and no command that nobody runs", () => {
  expect(guide.names).toEqual(["constructor", "by-hand", "credentials"]);
  const page = readFileSync(join(root, "docs/guide/components.md"), "utf8");
  const run = ["Build", "Sign", "Push", "Install", "Air-gapped transfer", "Credentials"];
  expect(page.match(/^```sh$/gm)).toHaveLength(run.flatMap((section) => guide.commands(section)).length);
});

it("the guide shows a component of the sample", () => {
  const { components } = parse(readFileSync(join(sample, "component-constructor.yaml"), "utf8")) as {
    components: readonly unknown[];
  };
  expect(components).toContainEqual(guide.loadPart("constructor"));
});

const missing = programAbsence("docker-registry") ?? programAbsence("openssl");

describe.each(clustersUnderTest())("the guide to components on %s", (cluster) => {
  describeUnless(missing, describe)("its commands", () => {
    const folder = mkdtempSync(join(tmpdir(), "landscaper-components-guide-"));
    let environment: Environment;
    let registry: TestRegistry;
    let scope: TestNamespace;

    beforeAll(async () => {
      cpSync(sample, folder, { recursive: true });
      registry = await startTestRegistry();
      const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;
      environment = await startEnvironment({ cluster, services });
      scope = await environment.namespace("components-guide");
      await scope.apply(scope.target("my-cluster"));
      const { url: server, ca, token } = environment.hub;
      const hub = parse(createKubeconfig({ name: "hub", server, ca, user: { token } })) as {
        contexts: { context: Record<string, string> }[];
      };
      for (const { context } of hub.contexts) context["namespace"] = scope.name;
      writeFileSync(join(folder, "hub.yaml"), stringify(hub), { mode: 0o600 });
      writeFileSync(join(folder, "target.yaml"), environment.targetKubeconfig, { mode: 0o600 });
    });
    afterAll(async () => {
      await environment?.stop();
      await registry?.stop();
      rmSync(folder, { recursive: true });
    });

    const url = (path: string): string => `http://${registry.host}/${path}`;

    /** Runs lines of a shell up to the first that fails, and expects that none does. */
    async function run(lines: readonly string[]): Promise<string> {
      const env = {
        ...process.env,
        PATH: `${join(root, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
        HOME: folder,
        KUBECONFIG: join(folder, "hub.yaml"),
        REGISTRY: url("team"),
        MIRROR: url("mirror"),
      };
      const child = spawn("bash", ["-e", "-c", lines.join("\n")], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [stdout, stderr, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "exit"),
      ]);
      if (status === 0) return stdout;
      throw new Error(`exit code ${status} of\n${lines.join("\n")}\n${stdout}${stderr}\n${environment.describeLogs()}`);
    }

    const blocksOf = (section: string): readonly (readonly string[])[] => guide.commands(section);

    async function frontendOf(namespace: string): Promise<unknown> {
      const key = { namespace, name: "frontend" };
      return (await environment.targetClient.find(kubeResources.configMap, key))?.data;
    }

    const deployed = (replicas: string) => ({ database: expect.stringMatching(/:5432$/), replicas });

    it("builds, signs and pushes", async () => {
      for (const block of blocksOf("Build")) await run(block);
      const [signing = [], verifying = []] = blocksOf("Sign");
      await run(signing);
      expect(await run(verifying)).toBe(guide.output("verify"));
      for (const block of blocksOf("Push")) expect(await run(block)).toContain(guide.output("verify"));
    });

    it("installs, updates and deletes", async () => {
      const [first = [], second = [], last = [], inlined = [], pushed = []] = blocksOf("Install");
      expect(await run(first)).toMatch(/^Installation shop +Succeeded/m);
      expect(await frontendOf("shop")).toEqual(deployed("2"));
      expect(await scope.exported("shop-url")).toMatch(/^https:\/\/shop\.example\.test\/\?database=.+:5432$/);
      const printed = await run(second);
      expect(printed).toContain("updated: dataobject/shop-settings\n");
      expect(printed).toContain("unchanged: context/shop\n");
      expect(await frontendOf("shop")).toEqual(deployed("3"));
      await run(last);
      expect(await frontendOf("shop")).toBeUndefined();
      await scope.untilGone(resources.installation, "shop");
      await run(inlined);
      const { spec } = await scope.get(resources.installation, "inlined");
      expect(spec.componentDescriptor?.ref?.repositoryContext).toMatchObject({ type: "inline" });
      expect(await environment.targetClient.find(kubeResources.namespace, { name: "shop-inlined" })).toBeDefined();
      expect(await run(pushed)).toContain("copied: component example.com/shop/landscape:1.0.0\n");
      expect(await frontendOf("shop-pushed")).toEqual(deployed("1"));
    }, 180_000);

    it("is referred to by hand", async () => {
      await scope.apply(...guide.load("by-hand", { registry: url("team") }));
      await scope.waitForPhase("by-hand", "Succeeded");
      expect(await frontendOf("shop-by-hand")).toEqual(deployed("1"));
      expect(await scope.exported("by-hand-url")).toMatch(/^https:\/\/by-hand\.example\.test/);
    });

    it("goes through a file into another registry", async () => {
      const [connected = [], other = []] = blocksOf("Air-gapped transfer");
      await run(connected);
      expect(await run(other)).toContain(guide.output("verify"));
      expect(await frontendOf("shop-mirrored")).toEqual(deployed("1"));
      const descriptor = await run(["landscaper component get $MIRROR//example.com/shop/frontend"]);
      expect(descriptor).toContain(`imageReference: ${url("mirror/example.com/shop/frontend/charts/frontend")}`);
    });

    it("is installed with the Context that has credentials", async () => {
      await scope.apply(...guide.load("credentials", { registry: url("team") }));
      for (const block of blocksOf("Credentials")) await run(block);
      expect((await scope.get(resources.installation, "guarded")).spec).toMatchObject({
        context: "with-credentials",
        componentDescriptor: { ref: { componentName: "example.com/shop/landscape" } },
      });
      expect(await frontendOf("shop-guarded")).toEqual(deployed("1"));
    });
  });
});
