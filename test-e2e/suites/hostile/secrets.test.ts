// Secrets, what functions make of them and what is exported from them are shown nowhere; names, plain data and fixed words are.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DataObject, Installation, UnstructuredObject } from "@landscaper/api";
import { annotations, resources } from "@landscaper/api";
import { connectionFromKubeconfig } from "@landscaper/controller-runtime";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import type { InlineInstallation } from "../../src/installations/inline-installation.ts";
import {
  clusterImport,
  dataObject,
  dataParameter,
  goTemplate,
  inlineInstallation,
} from "../../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { createRecognizer } from "../../src/kits/sentinel.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";
import { collectVisibleTexts, findLeaks } from "../../src/namespaces/visible-texts.ts";

const any = true as unknown as Readonly<Record<string, unknown>>;
const parts = ["first", "second"].map((name) => `${name}${randomBytes(8).toString("hex")}`);
const secret = parts.join("-");
/** Parts, in both cases, also inside of base64. */
const recognizers = parts.flatMap((part) => [createRecognizer(part), createRecognizer(part.toUpperCase())]);
const findIn = (text: string): string | undefined =>
  recognizers.map((find) => find(text)).find((found) => found !== undefined);

const imports = {
  data: [
    { name: "password", secretRef: { name: "login", key: "password" } },
    { name: "word", dataRef: "word" },
  ],
  targets: [{ name: "cluster", target: "target" }],
};
const parameters = [dataParameter("password", any), dataParameter("word", any), clusterImport];

function installationOf(name: string, blueprint: InlineInstallation["blueprint"], more = {}): UnstructuredObject {
  return inlineInstallation({ name, blueprint: { imports: parameters, ...blueprint }, imports, ...more });
}

function item(type: string, config: string): string {
  const kind =
    type === "mock"
      ? "mock.deployer.landscaper.gardener.cloud/v1alpha1"
      : "manifest.deployer.landscaper.gardener.cloud/v1alpha2";
  const kindOfItem = type === "mock" ? "mock" : "kubernetes-manifest";
  const head = `{name: item, type: landscaper.gardener.cloud/${kindOfItem}, target: {import: cluster}, timeout: 5s, config: `;
  return `deployItems:\n- ${head}{apiVersion: ${kind}, kind: ProviderConfiguration, ${config}}}\n`;
}

/** A kind whose objects say whatever their author wants. */
function reportingKind(namespace: string): { readonly crd: object; readonly object: object } {
  const group = `${namespace}.example.org`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `reports.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Report", plural: "reports", singular: "report", listKind: "ReportList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  return { crd, object: { apiVersion: `${group}/v1`, kind: "Report", metadata: { name: "report", namespace } } };
}

const derivations = {
  itself: ".imports.password",
  upper: "upper .imports.password",
  base64: "b64enc .imports.password",
  part: 'index (splitList "-" .imports.password) 1',
  trunc: "trunc 14 .imports.password",
};

describe.each(clustersUnderTest())("secrets on %s", (cluster) => {
  let environment: Environment;
  let scope: TestNamespace;
  beforeAll(async () => {
    const services = ["landscaper-core", "manifest-deployer", "mock-deployer"] as const;
    environment = await startEnvironment({ cluster, services });
    scope = await environment.namespace("secrets");
    const login = { apiVersion: "v1", kind: "Secret", metadata: { name: "login" }, stringData: { password: secret } };
    await scope.apply(login, dataObject("word", "foo"), scope.target("target"));
  });
  afterAll(async () => {
    await environment.stop();
  });

  async function messageOf(installation: UnstructuredObject): Promise<string> {
    await scope.apply(installation);
    const failed: Installation = await scope.waitForPhase(installation.metadata.name ?? "", "Failed");
    return failed.status?.lastError?.message ?? "";
  }

  async function expectNoLeaks(): Promise<void> {
    expect(findLeaks(await collectVisibleTexts(environment, scope), findIn)).toEqual([]);
  }

  it("are not in failures of templates, whatever a function makes of them", async () => {
    for (const [name, expression] of Object.entries(derivations)) {
      const template = `{{ fail (print "a " .imports.word " error occurred: " (${expression})) }}`;
      const message = await messageOf(installationOf(`fail-${name}`, { deployExecutions: goTemplate(template) }));
      expect(message).toContain("error calling fail: a foo error occurred: [...]\n");
    }
    await expectNoLeaks();
  });

  it("are not in what import executions report, whose other words are", async () => {
    const errors = Object.values(derivations).map((expression) => `a {{ .imports.word }} error: {{ ${expression} }}`);
    const template = JSON.stringify({ errors }).replaceAll(String.raw`\"`, "`");
    const message = await messageOf(installationOf("errors", { importExecutions: goTemplate(template) }));
    expect(message).toBe(`import template execution "default": ${errors.map(() => "a foo error: [...]").join(", ")}`);
    await expectNoLeaks();
  });

  it("are not in what a target refuses", async () => {
    const metadata = `{name: map, namespace: ${scope.targetNamespace}, labels: {a: "{{ upper .imports.password }}!"}}`;
    const manifest = `{apiVersion: v1, kind: ConfigMap, metadata: ${metadata}}`;
    const template = item("manifest", `manifests: [{policy: manage, manifest: ${manifest}}]`);
    const message = await messageOf(installationOf("refused", { deployExecutions: goTemplate(template) }));
    expect(message).toContain(`ConfigMap ${scope.targetNamespace}/map`);
    await expectNoLeaks();
  });

  it("do not hide other values that a target refuses", async () => {
    const labels = '{a: "{{ .imports.word }} bar!"}';
    const annotation = '{note: "{{ .imports.password }}"}';
    const metadata = `{name: map, namespace: ${scope.targetNamespace}, labels: ${labels}, annotations: ${annotation}}`;
    const manifest = `{apiVersion: v1, kind: ConfigMap, metadata: ${metadata}}`;
    const template = item("manifest", `manifests: [{policy: manage, manifest: ${manifest}}]`);
    const message = await messageOf(installationOf("readable", { deployExecutions: goTemplate(template) }));
    expect(message).toContain('metadata.labels: Invalid value: "foo bar!": a valid label must be');
    await expectNoLeaks();
  });

  it("of a connection are not in what a target says of its objects", async () => {
    const { token = "" } = connectionFromKubeconfig(environment.targetKubeconfig);
    const [signature = ""] = token.split(".").slice(-1);
    expect(signature).not.toBe("");
    // As plain data: only the connection knows that it is secret.
    await scope.apply(dataObject("reason", token));
    const { crd, object } = reportingKind(scope.targetNamespace);
    const manifests = [
      crd,
      { ...object, status: { conditions: [{ type: "Ready", status: "False", reason: "REASON" }] } },
    ];
    const config = `manifests: ${JSON.stringify(manifests.map((manifest) => ({ policy: "manage", manifest })))}`;
    const template = item("manifest", `${config}, readinessChecks: {level: kstatus}`);
    const message = await messageOf(
      inlineInstallation({
        name: "reporting",
        blueprint: {
          imports: [dataParameter("reason", any), clusterImport],
          deployExecutions: goTemplate(template.replace("REASON", "{{ .imports.reason }}")),
        },
        imports: { ...imports, data: [{ name: "reason", dataRef: "reason" }] },
      }),
    );
    expect(message).toContain("Ready is False ([...])");
    const texts = await collectVisibleTexts(environment, scope);
    expect(findLeaks(texts, createRecognizer(signature))).toEqual([]);
  });

  it("cannot be names, and the refusal does not tell them", async () => {
    const template = item("mock", "export: {a: 1}").replace("name: item", 'name: "{{ .imports.password }}"');
    expect(await messageOf(installationOf("named", { deployExecutions: goTemplate(template) }))).toContain(
      "the name of deploy item number 1 derives from a secret, and names are shown in status, events and plans",
    );
    await expectNoLeaks();
  });

  it("stay secret through exports and imports", async () => {
    const config = 'export: {secret: "{{ upper .imports.password }}", plain: "{{ .imports.word }}"}';
    const exported = {
      exports: [dataParameter("secret", any), dataParameter("plain", any)],
      exportExecutions: goTemplate(
        "exports: {secret: {{ .values.deployitems.item.secret }}, plain: {{ .values.deployitems.item.plain }}}",
      ),
      deployExecutions: goTemplate(item("mock", config)),
    };
    const data = ["secret", "plain"].map((name) => ({ name, dataRef: `out-${name}` }));
    await scope.apply(installationOf("source", exported, { exports: { data } }));
    await scope.waitForPhase("source", "Succeeded");
    const marks = await Promise.all(
      data.map(async ({ dataRef }) => {
        const { metadata } = await scope.get<DataObject>(resources.dataObject, dataRef);
        return metadata.annotations?.[annotations.sensitive];
      }),
    );
    expect(marks).toEqual(["true", undefined]);
    const template = '{{ fail (print .imports.plain " and " (lower .imports.secret)) }}';
    const message = await messageOf(
      inlineInstallation({
        name: "sink",
        blueprint: {
          imports: [dataParameter("secret", any), dataParameter("plain", any)],
          deployExecutions: goTemplate(template),
        },
        imports: { data },
      }),
    );
    expect(message).toContain("error calling fail: foo and [...]\n");
    await expectNoLeaks();
  });

  it("may be marked by a user, in data objects", async () => {
    const metadata = { name: "marked", annotations: { [annotations.sensitive]: "true" } };
    await scope.apply({ ...dataObject("marked", secret), metadata });
    const message = await messageOf(
      inlineInstallation({
        name: "marked",
        blueprint: {
          imports: [dataParameter("marked", any)],
          deployExecutions: goTemplate("{{ fail (upper .imports.marked) }}"),
        },
        imports: { data: [{ name: "marked", dataRef: "marked" }] },
      }),
    );
    expect(message).toContain("error calling fail: [...]\n");
    await expectNoLeaks();
  });

  it("do not hide names of imports, and words that a kubeconfig has too", async () => {
    const missing = [...parameters, dataParameter("config", any)];
    expect(await messageOf(installationOf("missing", { imports: missing }))).toBe(
      "imports.config: the blueprint requires this data import, but the installation does not give it; add it to spec.imports or spec.importDataMappings",
    );
    const words = "cluster: kind: Config, ConfigMap, users, contexts and clusters";
    const touched = `{{ $config := .imports.cluster.spec.config }}{{ if $config }}{{ fail "${words}" }}{{ end }}`;
    expect(await messageOf(installationOf("words", { deployExecutions: goTemplate(touched) }))).toContain(
      `error calling fail: ${words}\n`,
    );
  });
});
