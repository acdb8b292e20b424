// `landscaper helm template` beside the real one: charts of registries, repositories and URLs, and what of a cluster templates see.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { kubeResources } from "@landscaper/api";
import { bcryptHash } from "@landscaper/golang";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { createRealHelm, type RealHelm } from "../../helm-releases/real-helm.ts";
import { buildOracle } from "../../oracles/build-oracle.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const command = join(import.meta.dirname, "../../../bin/landscaper");
const user = "robot";
const password = "correct-horse";
const htpasswd = `${user}:${bcryptHash(password, 4, Buffer.alloc(16, 7))}\n`;
const authority = createCertificateAuthority("registry authority", Date.now);
const { cert, key } = authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] });
const versions = ["1.0.0", "1.2.0", "1.3.0-rc.1", "2.0.0+build.5"];

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

let folder: string;
let helm: RealHelm;

/** Either program with the same words and settings. */
async function run(program: string, words: readonly string[], kubeconfig = ""): Promise<Ended> {
  const env = { PATH: process.env["PATH"], HOME: join(folder, "home"), KUBECONFIG: kubeconfig };
  return await new Promise((resolve) => {
    execFile(program, words, { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ stdout, stderr, status: error === null ? 0 : Number(Reflect.get(error, "code")) });
    });
  });
}

async function both(words: readonly string[], kubeconfig?: string): Promise<{ real: Ended; ours: Ended }> {
  const template = ["template", "rel", ...words];
  const [real, ours] = await Promise.all([
    run(join(buildOracle("helm").folder, "helm"), template, kubeconfig),
    run(command, ["helm", ...template], kubeconfig),
  ]);
  return { real, ours };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-sources-"));
  helm = createRealHelm("", "default");
  mkdirSync(join(folder, "source/app/templates"), { recursive: true });
  mkdirSync(join(folder, "packed"));
  writeFileSync(join(folder, "ca.crt"), authority.cert);
  writeFileSync(join(folder, "source/app/Chart.yaml"), "apiVersion: v2\nname: app\nversion: 1.0.0\n");
  const template = `apiVersion: v1
kind: ConfigMap
metadata: { name: app }
data: { version: {{ .Chart.Version }}, known: {{ (lookup "v1" "ConfigMap" .Release.Namespace "known").data | toJson | quote }} }
---
kind: ConfigMap
apiVersion: v1
metadata: { name: capabilities }
data:
  version: {{ .Capabilities.KubeVersion.Version }}
  crds: {{ .Capabilities.APIVersions.Has "apiextensions.k8s.io/v1/CustomResourceDefinition" | quote }}
  own: {{ .Capabilities.APIVersions.Has "landscaper.gardener.cloud/v1alpha1/Installation" | quote }}
{{- if .Values.kind }}
---
apiVersion: v1
kind: {{ .Values.kind }}
metadata: { name: {{ .Values.name | default "more" }} }
{{- end }}
`;
  writeFileSync(join(folder, "source/app/templates/app.yaml"), template);
  writeFileSync(join(folder, "source/app/values.yaml"), "kind:\nname:\n");
  for (const version of versions) {
    await helm.run(
      "package",
      join(folder, "source/app"),
      "--version",
      version,
      "--destination",
      join(folder, "packed"),
    );
  }
}, 240_000);
afterAll(() => {
  helm?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const describeWithRegistry = describeUnless(programAbsence("docker-registry"), describe);

describeWithRegistry("charts of registries", () => {
  let open: TestRegistry;
  let guarded: TestRegistry;

  beforeAll(async () => {
    open = await startTestRegistry();
    guarded = await startTestRegistry({ tls: { cert, key }, htpasswd });
    const login = ["--username", user, "--password", password, "--ca-file", join(folder, "ca.crt")];
    for (const file of readdirSync(join(folder, "packed"))) {
      const archive = join(folder, "packed", file);
      await helm.tell("push", archive, `oci://${open.host}/charts`, "--plain-http");
      await helm.tell("push", archive, `oci://${guarded.host}/team`, ...login);
    }
    const auth = Buffer.from(`${user}:${password}`).toString("base64");
    writeFileSync(join(folder, "logins.json"), JSON.stringify({ auths: { [guarded.host]: { auth } } }));
  });
  afterAll(async () => {
    await open?.stop();
    await guarded?.stop();
  });

  const placed = (words: string): string[] =>
    words.replaceAll("OPEN", open.host).replaceAll("GUARDED", guarded.host).split(" ");

  it.each([
    "oci://OPEN/charts/app --plain-http",
    "oci://OPEN/charts/app",
    "oci://OPEN/charts/app --plain-http --version 1.0.0",
    "oci://OPEN/charts/app --plain-http --version ^1",
    "oci://OPEN/charts/app --plain-http --version >=1.0.0-0",
    "oci://OPEN/charts/app --plain-http --devel",
    "oci://OPEN/charts/app --plain-http --version 2.0.0+build.5",
    "oci://OPEN/charts/app:1.2.0 --plain-http",
    "oci://OPEN/charts/app:1.2.0 --plain-http --version 1.2.0",
    "oci://OPEN/charts/app:1.2.0 --plain-http --version 1.0.0",
    "oci://OPEN/charts/app --plain-http --version ^7",
    "oci://GUARDED/team/app --version ~1.2 --ca-file ca.crt --username robot --password correct-horse",
    "oci://GUARDED/team/app --version ~1.2 --ca-file ca.crt --registry-config logins.json",
    "oci://GUARDED/team/app --insecure-skip-tls-verify --registry-config logins.json",
  ])("%s", async (words) => {
    const { real, ours } = await both(placed(words));
    expect(ours).toEqual(real);
  });

  it("--dependency-update fetches a dependency of a registry", async () => {
    const parent = join(folder, "oci-parent");
    mkdirSync(join(parent, "templates"), { recursive: true });
    const dependency = `{ name: app, version: ^1, repository: 'oci://${open.host}/charts' }`;
    writeFileSync(
      join(parent, "Chart.yaml"),
      `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n- ${dependency}\n`,
    );
    const words = ["template", "rel", parent, "--dependency-update", "--plain-http"];
    // The real one comes last: it changes the chart.
    const ours = await run(command, ["helm", ...words]);
    expect([ours.status, readdirSync(parent)]).toEqual([0, ["Chart.yaml", "templates"]]);
    const real = await run(join(buildOracle("helm").folder, "helm"), words);
    expect(ours.stdout).toMatch(/^---\n# Source: parent\/charts\/app\/templates\/app\.yaml\n/);
    expect(real.stdout.slice(-ours.stdout.length)).toBe(ours.stdout);
  });

  // Here the words are ours.
  it.each([
    ["oci://OPEN/charts/app --plain-http --version 9.9.9", "not found (404)"],
    ["oci://OPEN/charts/nothing --plain-http --version 1.0.0", "not found (404)"],
    ["oci://GUARDED/team/app --version 1.0.0 --ca-file ca.crt", "credentials are needed (401)"],
    [
      "oci://GUARDED/team/app --version 1.0.0 --ca-file ca.crt --username robot --password wrong-horse",
      "the credentials (--username and --password) were refused (401)",
    ],
    ["oci://GUARDED/team/app --version 1.0.0 --registry-config logins.json", "certificate"],
  ])("%s fails", async (words, problem) => {
    const { real, ours } = await both(placed(words));
    expect([ours.status, ours.stdout]).toEqual([real.status, real.stdout]);
    expect(ours.stderr).toMatch(/^Error: [^\n]*\n$/);
    expect(ours.stderr).toContain(problem);
    expect(ours.stderr).not.toContain("wrong-horse");
  });
});

describe("charts of repositories and URLs", () => {
  let server: Server;
  let host: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const [, area, name = ""] = (request.url ?? "").split("/").map(decodeURIComponent);
      const wanted = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
      if (area === "private" && request.headers.authorization !== wanted) response.writeHead(401).end();
      else if (readdirSync(join(folder, "packed")).includes(name))
        response.end(readFileSync(join(folder, "packed", name)));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
    await helm.run("repo", "index", join(folder, "packed"));
    const real = join(buildOracle("helm").folder, "helm");
    const login = ["--username", user, "--password", password];
    await run(real, ["repo", "add", "named", `http://${host}/public`]);
    await run(real, ["repo", "add", "guarded", `http://${host}/private`, ...login]);
  });
  afterAll(() => void server?.close());

  it.each([
    "app --repo http://HOST/public",
    "app --repo http://HOST/public/ --version 1.0.0",
    "app --repo http://HOST/public --version ^1",
    "app --repo http://HOST/public --devel",
    "app --repo http://HOST/public --version ^7",
    "nothing --repo http://HOST/public",
    "app --repo http://HOST/private --username robot --password correct-horse --version 1.2.0",
    "http://HOST/public/app-1.2.0.tgz",
    "http://HOST/public/app-1.2.0.tgz --version 7",
    "named/app",
    "named/app --version ^1",
    "named/app --version 1.0.0",
    "named/app --devel",
    "named/app --version ^7",
    "named/app --version 7.0.0",
    "named/nothing",
    "named/nothing --version 1.0.0",
    "guarded/app --version 1.2.0",
    "unknown/app",
    "app",
    "named/app --repository-config none.yaml",
  ])("%s", async (words) => {
    const { real, ours } = await both(words.replaceAll("HOST", host).split(" "));
    expect(ours).toEqual(real);
  });

  /** A chart that both work on, each on a folder of its own: the real one changes it. */
  function writeParents(dependency: string): { real: string; ours: string } {
    const parents = { real: join(folder, "real/parent"), ours: join(folder, "ours/parent") };
    for (const parent of Object.values(parents)) {
      rmSync(parent, { recursive: true, force: true });
      mkdirSync(join(parent, "templates"), { recursive: true });
      const chartYaml = `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n- ${dependency}\n`;
      writeFileSync(
        join(parent, "Chart.yaml"),
        chartYaml.replaceAll("HOST", host).replaceAll("SOURCE", join(folder, "source")),
      );
      writeFileSync(join(parent, "templates/own.yaml"), "kind: Own\ndata: {{ .Values.app | toJson }}\n");
    }
    return parents;
  }

  async function updateBoth(dependency: string): Promise<{ real: Ended; ours: Ended }> {
    const parents = writeParents(dependency);
    const words = ["template", "rel", "--dependency-update"];
    const [real, ours] = await Promise.all([
      run(join(buildOracle("helm").folder, "helm"), [...words, parents.real]),
      run(command, ["helm", ...words, parents.ours]),
    ]);
    expect(readdirSync(parents.ours)).toEqual(["Chart.yaml", "templates"]);
    return { real, ours };
  }

  it.each([
    "{ name: app, version: ^1, repository: 'http://HOST/public' }",
    "{ name: app, version: 1.0.0, repository: 'http://HOST/public/' }",
    "{ name: app, version: '*', repository: '@named' }",
    "{ name: app, version: 1.2.0, repository: 'alias:guarded' }",
    "{ name: app, version: 1.2.0, repository: 'http://HOST/private' }",
    "{ name: app, version: 1.x.x, repository: 'file://SOURCE/app' }",
    "{ name: app, version: 1.x.x, repository: 'file://../../source/app', alias: other }",
  ])("--dependency-update fetches %s", async (dependency) => {
    const { real, ours } = await updateBoth(dependency);
    expect([real.status, ours.status]).toEqual([0, 0]);
    expect(ours.stdout).toMatch(/^---\n# Source: parent\/charts\/\w+\/templates\/app\.yaml\n/);
    // Its progress goes before the manifests, on the same output.
    expect(real.stdout.slice(-ours.stdout.length)).toBe(ours.stdout);
  });

  it.each([
    "{ name: app, version: ^7, repository: 'http://HOST/public' }",
    "{ name: nothing, version: ^1, repository: 'http://HOST/public' }",
    "{ name: app, version: ^1, repository: '@unknown' }",
    "{ name: app, version: ^1, repository: unknown }",
    "{ name: app, version: ^7, repository: 'file://SOURCE/app' }",
    "{ name: app, version: ^7, repository: 'file://SOURCE/none' }",
  ])("--dependency-update fails as the real one for %s", async (dependency) => {
    const { real, ours } = await updateBoth(dependency);
    expect([ours.status, ours.stdout]).toEqual([real.status, ""]);
    expect(ours.stderr.replace(/^Downloading .*\n/, "")).toBe(real.stderr);
  });

  it.each([
    ["app --repo http://HOST/private", "credentials are needed (401)"],
    ["http://HOST/public/nothing.tgz", "not found (404)"],
    ["app --repo http://HOST/public --pass-credentials", "--pass-credentials: credentials go to no other host"],
    ["app --repo http://HOST/public --cert-file ca.crt", "--cert-file: client certificates are not sent"],
  ])("%s fails", async (words, problem) => {
    const { ours } = await both(words.replaceAll("HOST", host).split(" "));
    expect([ours.stdout, ours.status === 0]).toEqual(["", false]);
    expect(ours.stderr).toContain(problem);
  });
});

describe.each(clustersUnderTest())("helm template with the cluster %s", (clusterName) => {
  let cluster: TestCluster;
  let kubeconfig: string;

  beforeAll(async () => {
    cluster = await startTestCluster(clusterName);
    kubeconfig = join(folder, `kubeconfig-${clusterName}`);
    writeFileSync(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
    await cluster.client.create(
      { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true },
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "known", namespace: "default" },
        data: { a: "1" },
      } as never,
    );
    const metadata = { name: "elsewhere" };
    await cluster.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
  });
  afterAll(async () => cluster?.stop());

  it.each([
    "source/app",
    "source/app --validate",
    "source/app --validate -n elsewhere",
    "source/app --dry-run=server",
    "source/app --dry-run=server --validate --is-upgrade",
    "source/app --validate --set kind=ConfigMap",
  ])("%s", async (words) => {
    const { real, ours } = await both(words.split(" "), kubeconfig);
    expect(ours).toEqual(real);
  });

  it.each([
    ["a kind that nobody knows", "source/app --validate --set kind=Nothing", "Nothing more: "],
    [
      "an object that is there",
      "source/app --validate --set kind=ConfigMap,name=known",
      "ConfigMap default/known: exists and does not belong",
    ],
    [
      "a namespace that is not there",
      "source/app --validate -n nowhere --set kind=NetworkPolicy",
      "NetworkPolicy more: ",
    ],
  ])("refuses %s, as the real one does", async (_, words, problem) => {
    const { real, ours } = await both(words.split(" "), kubeconfig);
    expect([ours.status, ours.stdout]).toEqual([real.status, real.stdout]);
    expect(ours.stderr).toContain(problem);
  });
});
