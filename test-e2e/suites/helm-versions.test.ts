// `landscaper helm versions` with our services: what a switch of the version of Helm would change, and that a switch changes this.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources } from "@landscaper/api";
import { rawChart, type ChartFiles } from "@landscaper/helm-deployer-lib/testing";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { createPlanner, runCommand, runDiff } from "../src/clients/planner.ts";
import { helmItem, itemsInstallation } from "../src/installations/inline-installation.ts";
import { createSentinel } from "../src/kits/sentinel.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { collectVisibleTexts, findLeaks } from "../src/namespaces/visible-texts.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";

const map = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "{{ .Release.Name }}" }\ndata: { value: ${value} }\n`;
const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 0
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }, annotations: { helm: {{ .Capabilities.HelmVersion.Version | quote }} } }
    spec: { containers: [{ name: main, image: "registry.example.test/main:1" }] }
`;

type Config = Readonly<Record<string, unknown>>;

describe.each(clustersUnderTest())("landscaper helm versions on %s", (cluster) => {
  let environment: Environment;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "landscaper-helm-versions-"));
    const configs = { "helm-deployer": { helmVersion: "3" } } as const;
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "helm-deployer"], configs });
  });
  afterAll(async () => {
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An Installation of its own, so that no item waits for another one. */
  async function deploy(scope: TestNamespace, name: string, { files, ...more }: Config & { files: ChartFiles }) {
    const config = { name, chart: await rawChart(files), readinessChecks: { disableDefault: true }, ...more };
    const item = helmItem({ namespace: scope.targetNamespace, config, item: { name } });
    await scope.apply(itemsInstallation([item], { name, target: name === "down" ? "down" : "target" }));
    await scope.waitForPhase(name, "Succeeded");
  }

  it("lists each item, what a switch changes and why, and what cannot be known", async () => {
    const scope = await environment.namespace("helm-versions");
    const sentinel = createSentinel();
    await scope.apply(scope.target("target"));
    await scope.apply(scope.target("down"));
    const password = { "values.yaml": "x: null\n", "templates/a.yaml": map('{{ hasKey .Values "x" | quote }}') };
    await deploy(scope, "changes", { files: { ...password, "templates/web.yaml": web } });
    await deploy(scope, "space", { files: { "templates/a.yaml": `${map("x")}\n\n` } });
    await deploy(scope, "manifests", { files: { "templates/a.yaml": map("x").trimEnd() }, helmDeployment: false });
    const failing = `{{ if eq (kindOf .Chart) "struct" }}{{ fail .Values.password }}{{ end }}${map("x")}`;
    const valuesFrom = [{ kind: "Secret", name: "login", key: "password", targetPath: "password" }];
    const data = { password: Buffer.from(sentinel.value).toString("base64") };
    await scope.apply({ apiVersion: "v1", kind: "Secret", metadata: { name: "login" }, data });
    await deploy(scope, "refused", { files: { "templates/a.yaml": failing }, helmVersion: "4", valuesFrom });
    await deploy(scope, "random", { files: { "templates/a.yaml": map("{{ randAlphaNum 12 | quote }}") } });
    await deploy(scope, "down", { files: { "templates/a.yaml": map("x") } });
    const { config } = scope.target("down").spec as { config: { kubeconfig: string } };
    const kubeconfig = config.kubeconfig.replaceAll(/https:\/\/[^\s"]+/g, "https://127.0.0.1:9");
    const spec = { ...(scope.target("down").spec as object), config: { kubeconfig } };
    await scope.apply({ ...scope.target("down"), spec });

    const planner = await createPlanner(environment, scope, folder);
    const revisions = async (): Promise<string[]> => {
      const { targetNamespace: namespace } = scope;
      const list = await environment.targetClient.list(kubeResources.secret, {
        namespace,
        labelSelector: "owner=helm",
      });
      return list.items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
    };
    const before = await revisions();
    const { stdout, stderr, status } = await runCommand(scope, planner, ["helm", "versions", "--timeout", "3m"]);
    const place = scope.targetNamespace;
    const of = (name: string): string => `${scope.name}/NAME of Installation ${name}: `;
    const shown = stdout.replaceAll(/^(\S+\/)\S+(?= of Installation)/gm, "$1NAME").split("\n");
    expect({ stderr, status }).toEqual({ stderr: "", status: 2 });
    expect(shown.map((line) => line.replace(/(cannot be known: |refuses the chart: ).*/, "$1..."))).toEqual([
      `${of("changes")}Helm 3 (of its release) -> Helm 4: 2 to update, 1 workload restarts pods`,
      `  update ConfigMap ${place}/changes: R1-R5 null in values.yaml`,
      `  update Deployment ${place}/web: R13 .Capabilities.HelmVersion; restarts pods`,
      `${of("down")}Helm 3 (by its status): cannot be known: ...`,
      `${of("manifests")}Helm 3 (of its last job) -> Helm 4: no change`,
      `${of("random")}Helm 3 (of its release) -> Helm 4: cannot be known, because templates render differently each time; 1 unknown`,
      `  unknown ConfigMap ${place}/random: rendered differently each time`,
      `${of("refused")}Helm 4 (set by the item) -> Helm 3: Helm 3 refuses the chart: ...`,
      `${of("space")}Helm 3 (of its release) -> Helm 4: white space only`,
      "6 helm items: 1 with changes (1 workload restarts pods), 2 without changes, 1 refused, 2 cannot be known",
      "",
    ]);
    expect(stdout).toMatch(/Installation down: .*: cannot be known: Target \S+\/down: .*127\.0\.0\.1:9/);

    // Nothing has changed, no request is left, and nothing shows the secret.
    expect(await revisions()).toEqual(before);
    const { items } = await environment.client.list(resources.deployItem, { namespace: scope.name });
    expect(items.map(({ metadata }) => metadata.annotations?.[annotations.operation])).toEqual(
      items.map(() => undefined),
    );
    const { items: secrets } = await environment.client.list(kubeResources.secret, { namespace: scope.name });
    const plans = secrets.filter(({ metadata }) => metadata.name?.endsWith("-plan"));
    const texts = await collectVisibleTexts(environment, scope);
    texts.push({ where: "the command", text: stdout });
    for (const { data: entries = {} } of plans) {
      for (const [where, value] of Object.entries(entries))
        texts.push({ where, text: Buffer.from(value, "base64").toString() });
    }
    expect(findLeaks(texts, sentinel.findIn)).toEqual([]);

    // A switch does what the report says.
    await deploy(scope, "changes", { files: { ...password, "templates/web.yaml": web }, helmVersion: "4" });
    await deploy(scope, "space", { files: { "templates/a.yaml": `${map("x")}\n\n` }, helmVersion: "4" });
    const changed = (await revisions()).map((line) => line.split(" ")[0]).filter((name) => name?.endsWith(".v2"));
    expect(changed).toEqual(["sh.helm.release.v1.changes.v2"]);
    const space = (await scope.deployItems("space")).get("space")?.metadata.name ?? "";
    expect(await runDiff(scope, planner, `di/${space}`)).toMatchObject({
      stdout: "works as Helm 4, the last job worked as Helm 3\n1 unchanged\n",
      status: 0,
    });
  });
});
