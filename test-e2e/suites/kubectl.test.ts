import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { stringify } from "yaml";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { deployItems, inlineInstallation, mockItem } from "../src/installations/inline-installation.ts";
import type { Kubectl } from "../src/clients/kubectl.ts";
import { createKubectl, findKubectl } from "../src/clients/kubectl.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const program = findKubectl();
const installation = inlineInstallation({
  name: "root",
  blueprint: { deployExecutions: deployItems(mockItem("item")) },
});

/** Columns of kubectl's table as rows of words; ages differ from run to run. */
function rows(table: string): string[][] {
  const lines = table.trimEnd().split("\n");
  return lines.map((line) => line.split(/\s{2,}/).map((cell) => cell.trim().replace(/^\d+[smh].*$/, "AGE-VALUE")));
}

// plan-run.ts leaves this suite out, and says so, where there is no kubectl.
describe.each(clustersUnderTest())("kubectl on %s", (cluster) => {
  let environment: Environment;
  let scope: TestNamespace;
  let kubectl: Kubectl;

  async function run(...args: readonly string[]): Promise<string> {
    const result = await kubectl.run(["-n", scope.name, ...args]);
    expect({ args, stderr: result.stderr, status: result.status }).toEqual({ args, stderr: "", status: 0 });
    return result.stdout;
  }

  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "mock-deployer"] });
    kubectl = createKubectl(program ?? "", environment.hub.kubeconfig);
    scope = await environment.namespace("kubectl");
  });
  afterAll(async () => {
    kubectl.dispose();
    await environment.stop();
  });

  it("applies an Installation, waits for it and applies it again without a change", async () => {
    const apply = ["-n", scope.name, "apply", "-f", "-"];
    const stdin = stringify(installation);
    expect(await kubectl.run(apply, { stdin })).toEqual({
      status: 0,
      stdout: "installation.landscaper.gardener.cloud/root created\n",
      stderr: "",
    });
    expect(await run("wait", "installation/root", "--for=condition=Ready", "--timeout=60s")).toBe(
      "installation.landscaper.gardener.cloud/root condition met\n",
    );
    const { annotations: _, ...metadata } = installation.metadata;
    const untriggered = stringify({ ...installation, metadata });
    const again = await kubectl.run(apply, { stdin: untriggered });
    expect({ status: again.status, stderr: again.stderr }).toEqual({ status: 0, stderr: "" });
    expect((await kubectl.run(apply, { stdin: untriggered })).stdout).toBe(
      "installation.landscaper.gardener.cloud/root unchanged\n",
    );
  });

  it("gets Installations by short name with their printer columns", async () => {
    expect(rows(await run("get", "inst"))).toEqual([
      ["NAME", "PHASE", "EXECUTION", "READY", "REASON", "AGE"],
      ["root", "Succeeded", "root", "True", "Succeeded", "AGE-VALUE"],
    ]);
  });

  it("gets Executions and DeployItems with their printer columns", async () => {
    expect(rows(await run("get", "executions"))[0]).toEqual(["NAME", "PHASE", "EXPORTREF", "READY", "REASON", "AGE"]);
    const items = rows(await run("get", "di"));
    expect(items[0]).toEqual(["NAME", "TYPE", "PHASE", "EXPORTREF", "READY", "REASON", "AGE"]);
    expect(items[1]?.slice(1, 3)).toEqual(["landscaper.gardener.cloud/mock", "Succeeded"]);
  });

  it("gets one object as YAML and as JSONPath", async () => {
    expect(await run("get", "inst", "root", "-o", "jsonpath={.status.phase}")).toBe("Succeeded");
    expect(await run("get", "inst", "root", "-o", "yaml")).toContain("\n  name: root\n");
  });

  it("describes an Installation with its events", async () => {
    const text = await run("describe", "inst", "root");
    expect(text).toMatch(/^Name: +root$/m);
    expect(text).toMatch(/^ +Phase: +Succeeded$/m);
    expect(text).toMatch(/^Events:$/m);
  });

  it("explains fields from the published schema", async () => {
    const text = await run("explain", "installation.spec.blueprint");
    expect(text).toMatch(/^KIND: +Installation$/m);
    expect(text).toMatch(/^ +inline\s/m);
  });

  it("refuses a field of the wrong type and names it", async () => {
    const broken = stringify({ ...installation, metadata: { name: "broken" }, spec: { blueprint: "text" } });
    const result = await kubectl.run(["-n", scope.name, "apply", "-f", "-"], { stdin: broken });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("spec.blueprint");
  });

  it("applies server-side, names the owner of a field on a conflict, and shows what would change", async () => {
    const map = (value: string): string =>
      stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied" }, data: { key: value } });
    const apply = (value: string, ...args: readonly string[]) =>
      kubectl.run(["-n", scope.name, "apply", "--server-side", "-f", "-", ...args], { stdin: map(value) });
    expect(await apply("one")).toEqual({ status: 0, stdout: "configmap/applied serverside-applied\n", stderr: "" });
    const refused = await apply("two", "--field-manager=other");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('Apply failed with 1 conflict: conflict with "kubectl": .data.key\n');
    const diff = await kubectl.run(["-n", scope.name, "diff", "--server-side", "-f", "-"], { stdin: map("two") });
    expect({ status: diff.status, lines: diff.stdout.match(/^[-+] .*$/gm) }).toEqual({
      status: 1,
      lines: ["-  key: one", "+  key: two"],
    });
    expect((await apply("two", "--field-manager=other", "--force-conflicts", "--dry-run=server")).status).toBe(0);
    expect(await run("get", "configmap", "applied", "-o", "jsonpath={.data.key}")).toBe("one");
    const same = await kubectl.run(["-n", scope.name, "diff", "--server-side", "-f", "-"], { stdin: map("one") });
    expect(same).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("watches an Installation through its phases", async () => {
    const controller = new AbortController();
    // A list: of an object by its name kubectl drops the first event of the watch, and with it what has changed since it read the object.
    const selected = ["inst", "--field-selector=metadata.name=watched"];
    const args = ["-n", scope.name, "get", ...selected, "--watch", "-o", 'jsonpath={.status.phase}{"\\n"}'];
    const { annotations: _, ...metadata } = installation.metadata;
    await scope.apply({ ...installation, metadata: { ...metadata, name: "watched" } });
    const watching = kubectl.run(args, {
      signal: controller.signal,
      onStdout: (soFar) => {
        if (soFar.includes("Succeeded")) controller.abort();
      },
    });
    await scope.trigger("watched");
    // Says what stands still, when something does.
    await scope.waitForPhase("watched", "Succeeded");
    const late = setTimeout(() => controller.abort(), 30_000);
    const { stdout, stderr } = await watching;
    clearTimeout(late);
    expect({ last: stdout.trim().split("\n").at(-1), stderr }).toEqual({ last: "Succeeded", stderr: "" });
  });

  describe("with kinds of Kubernetes", () => {
    const configMap = (name: string, fields: object = {}): object => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      ...fields,
    });
    const list = { apiVersion: "v1", kind: "List", items: [configMap("one"), configMap("two")] };
    /** Exit code and both outputs of a command that reads an object. */
    const send = async (object: object, ...args: readonly string[]): Promise<readonly unknown[]> => {
      const { status, stdout, stderr } = await kubectl.run(["-n", scope.name, ...args, "-f", "-"], {
        stdin: stringify(object),
      });
      return [status, stdout, stderr];
    };

    it("applies a List, which no schema of a group has, and finds no difference afterwards", async () => {
      expect(await send(list, "apply")).toEqual([0, "configmap/one created\nconfigmap/two created\n", ""]);
      expect(await send(list, "diff")).toEqual([0, "", ""]);
      expect(await send(list, "apply", "--server-side")).toEqual([
        0,
        "configmap/one serverside-applied\nconfigmap/two serverside-applied\n",
        "",
      ]);
      const changed = { ...list, items: [configMap("one", { data: { a: "b" } })] };
      const [status, stdout] = await send(changed, "diff");
      expect([status, String(stdout).includes("+  a: b")]).toEqual([1, true]);
    });

    it.each(["create", "apply"])("reports an unknown kind: %s", async (verb) => {
      const unknown = { apiVersion: "missing.example/v1", kind: "Thing", metadata: { name: "a" } };
      expect(await send(unknown, verb)).toEqual([
        1,
        "",
        'error: resource mapping not found for name: "a" namespace: "" from "STDIN": no matches for kind "Thing" in version "missing.example/v1"\nensure CRDs are installed first\n',
      ]);
    });

    it("refuses unknown fields, or warns of them", async () => {
      const [status, stdout, stderr] = await send(configMap("typo", { dat: {} }), "create");
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dat"',
      );
      expect(await send(configMap("typo", { dat: {} }), "create", "--validate=warn")).toEqual([
        0,
        "configmap/typo created\n",
        'Warning: unknown field "dat"\n',
      ]);
    });

    it.each([
      ["v3", []],
      ["v2", ["--output=plaintext-openapiv2"]],
    ])("explains the type of a field by OpenAPI %s", async (_version, args) => {
      const told = await run("explain", "deployment.spec.replicas", ...args);
      expect(told).toMatch(/^KIND: +Deployment$/m);
      expect(told).toMatch(/^FIELD: +replicas <integer>$/m);
    });

    it("patches in all three ways, and waits for a value", async () => {
      await run("create", "deployment", "web", "--image=web:1");
      const patched = "deployment.apps/web patched\n";
      const json = '[{"op":"replace","path":"/spec/replicas","value":3}]';
      const strategic = '{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}';
      expect(await run("patch", "deployment", "web", "--type=merge", "-p", '{"spec":{"replicas":2}}')).toBe(patched);
      expect(await run("patch", "deployment", "web", "--type=json", "-p", json)).toBe(patched);
      expect(await run("patch", "deployment", "web", "-p", strategic)).toBe(patched);
      expect(await run("wait", "deployment/web", "--for=jsonpath={.spec.replicas}=3", "--timeout=20s")).toBe(
        "deployment.apps/web condition met\n",
      );
      const path = "-o=jsonpath={.spec.template.spec.containers[*].image}";
      expect(await run("get", "deployment", "web", path)).toBe("web:2");
      expect(rows(await run("get", "deployment", "web", "-o", "wide"))[0]).toEqual([
        "NAME",
        "READY",
        "UP-TO-DATE",
        "AVAILABLE",
        "AGE",
        "CONTAINERS",
        "IMAGES",
        "SELECTOR",
      ]);
    });

    it("names the field of a Job that never changes", async () => {
      await run("create", "job", "work", "--image=web:1");
      const patch = '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"web:2"}]';
      const { status, stderr } = await kubectl.run([
        "-n",
        scope.name,
        "patch",
        "job",
        "work",
        "--type=json",
        "-p",
        patch,
      ]);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^The Job "work" is invalid: spec\.template: Invalid value: .*: field is immutable\n$/s);
    });
  });

  it("deletes an Installation and waits until it is gone", async () => {
    // Older ones do not name the namespace.
    const told = await run("delete", "inst", "root", "--timeout=60s");
    expect(told.replace(` from ${scope.name} namespace`, "")).toBe(
      'installation.landscaper.gardener.cloud "root" deleted\n',
    );
    expect(await scope.find(resources.installation, "root")).toBeUndefined();
    expect(await scope.find(resources.execution, "root")).toBeUndefined();
  });
});
