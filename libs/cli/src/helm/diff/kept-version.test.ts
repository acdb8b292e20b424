// `landscaper helm diff` without --helm renders as the version of Helm that the release has.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type ReleaseRecord, ReleaseStore } from "@landscaper/helm-release";
import { startTestCluster, type TestCluster } from "../../../test/cluster.ts";
import { runProgram, type Outcome } from "../../../test/program.ts";

const time = "2026-01-01T00:00:00Z";
const manifest = `---
# Source: web/templates/map.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data:
  helm: HELM
`;
const hook = `apiVersion: v1
kind: ConfigMap
metadata:
  name: before
  annotations: { helm.sh/hook: pre-upgrade }
`;
const template = manifest
  .slice(manifest.indexOf("apiVersion"))
  .replace("HELM", "{{ .Capabilities.HelmVersion.Version }}");

let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  cluster = await startTestCluster("ns");
  folder = mkdtempSync(join(tmpdir(), "landscaper-helm-diff-"));
  mkdirSync(join(folder, "templates"));
  writeFileSync(join(folder, "Chart.yaml"), "apiVersion: v2\nname: web\nversion: 1.0.0\n");
  writeFileSync(join(folder, "templates/map.yaml"), template);
  writeFileSync(join(folder, "templates/hook.yaml"), `{{- if true }}\n${hook}\n\n{{- end }}\n`);
});
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Stores a release whose only revision has the objects of the given version of Helm. */
async function install(name: string, helm: string, more: Partial<ReleaseRecord>): Promise<void> {
  const { client, namespace } = cluster;
  const record: ReleaseRecord = {
    name,
    namespace,
    version: 1,
    info: { first_deployed: time, last_deployed: time, deleted: "", description: "", status: "deployed" },
    chart: { metadata: { name: "web", version: "1.0.0" } },
    config: {},
    manifest: manifest.replace("HELM", helm),
    hooks: [
      {
        name: "before",
        kind: "ConfigMap",
        path: "web/templates/hook.yaml",
        manifest: `${hook}\n\n`,
        events: ["pre-upgrade"],
        last_run: { started_at: "", completed_at: "", phase: "" },
      },
    ],
    ...more,
  };
  const store = new ReleaseStore({ client, namespace, name, now: Date.now });
  await store.create(record, { signal: new AbortController().signal });
}

async function diff(...words: string[]): Promise<Outcome> {
  return await runProgram(["helm", "diff", ...words, "--exit-code", ...cluster.flags]);
}

const same = "1 unchanged\nhook ConfigMap before (pre-upgrade): runs\n";

it.each<[string, string, Partial<ReleaseRecord>]>([
  ["of the annotation", "3", { helmVersion: "3", apply_method: "ssa" }],
  ["of the annotation, 4", "4", { helmVersion: "4" }],
  ["4 of another client that wrote an apply method", "4", { apply_method: "csa" }],
  ["3 of another client without an apply method", "3", {}],
])("renders as the version %s, without a difference", async (title, version, more) => {
  const name = `kept-${title.replaceAll(/[^a-z0-9]+/g, "-")}`.slice(0, 40).replace(/-$/, "");
  await install(name, version === "3" ? "v3.22.0" : "v4.3.1", more);
  const heading = `# Release ns/${name}: revision 1 (web-1.0.0) -> web-1.0.0, as Helm ${version}\n`;
  expect(await diff(name, folder)).toEqual({ stdout: `${heading}${same}`, stderr: "", exitCode: 0 });
  const { stdout } = await diff(name, folder, "-o", "json");
  expect(JSON.parse(stdout)).toMatchObject({ helmVersion: version });
});

it("renders as the version of --helm, and as the default version without a release", async () => {
  await install("chosen", "v3.22.0", {});
  const { stdout, exitCode } = await diff("chosen", folder, "--helm", "4");
  expect([stdout, exitCode]).toEqual([
    `# Release ns/chosen: revision 1 (web-1.0.0) -> web-1.0.0, as Helm 4
update ConfigMap ns/web
  ~ .data.helm: "v3.22.0" -> "v4.3.1"
1 to update
hook ConfigMap before (pre-upgrade): runs
`,
    1,
  ]);
  expect((await diff("absent", folder, "--install")).stdout).toMatch(
    /^# Release .*: not installed -> web-1.0.0, as Helm [34]\n/,
  );
  const recorded = JSON.parse((await diff("chosen", "--revision", "1", "-o", "json")).stdout) as object;
  expect(recorded).toMatchObject({ helmVersion: null });
});
