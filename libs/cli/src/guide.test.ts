import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { kubeResources, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { type ReleaseRecord, ReleaseStore } from "@landscaper/helm-release";
import { artifactOf, writeTransport } from "@landscaper/components/testing";
import { playPlans, type PlayedPlan } from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "../test/cluster.ts";
import { putFleet } from "../test/fleet.ts";
import { readExamples, withOutputs } from "../test/guide.ts";
import { created, deployItem, ended, execution, failure, installation, open } from "../test/objects.ts";
import { beginJob } from "../test/play-job.ts";
import { runProgram } from "../test/program.ts";

const pagePath = join(import.meta.dirname, "../../../docs/guide/cli.md");

let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-guide-"));
  const blog = { name: "example.com/shop/blog", version: "1.0.0", resources: { blueprint: "a", schema: "b" } };
  writeTransport(join(folder, "ctf"), [await artifactOf(blog)]);
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(join(folder, "signer.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(join(folder, "signer.pub"), publicKey.export({ type: "spki", format: "pem" }));
  cluster = await startTestCluster("shops", Date.parse(created));
  await fillShops();
  await fillMedia();
  await putFleet(cluster);
  const options = {
    client: cluster.client,
    namespace: "shops",
    name: blogRelease.name,
    now: () => Date.parse(created),
  };
  await new ReleaseStore(options).create(blogRelease, { signal: new AbortController().signal });
});
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

/** What the page speaks of: a failed, a working and a waiting Installation. */
async function fillShops(): Promise<void> {
  const blog = await cluster.put(resources.installation, installation({ name: "blog", status: ended("Failed") }));
  const part = { name: "part-of-blog", item: "comments", parent: blog, status: ended("Succeeded") };
  await cluster.put(resources.installation, installation(part));
  const blogItems = await cluster.put(resources.execution, execution(blog, ended("Failed")));
  const error = failure("InvalidManifest", "manifests[2]: kind: expected text, found a number", [
    "ERR_CONFIGURATION_PROBLEM",
  ]);
  const type = "landscaper.gardener.cloud/kubernetes-manifest";
  await cluster.put(
    resources.deployItem,
    deployItem(blogItems, { item: "config", spec: { type }, status: ended("Succeeded") }),
  );
  await cluster.put(
    resources.deployItem,
    deployItem(blogItems, { item: "web", spec: { type }, status: { ...ended("Failed"), ...error } }),
  );

  const working = { name: "database", to: ["db-url"], status: open("Progressing", "8c1f") };
  const database = await cluster.put(resources.installation, installation(working));
  const databaseItems = await cluster.put(resources.execution, execution(database, open("Progressing", "8c1f")));
  const status = { phase: "", jobID: "8c1f", jobIDGenerationTime: "2026-01-01T00:06:00Z" };
  const spec = { type: "landscaper.gardener.cloud/helm", target: { name: "cluster-eu" } };
  await cluster.put(resources.deployItem, deployItem(databaseItems, { item: "chart", spec, status }));

  await cluster.put(
    resources.installation,
    installation({ name: "shop", from: ["db-url"], status: open("Init", "51aa") }),
  );
}

const helmType = "landscaper.gardener.cloud/helm";

/** The helm items of `helm versions`, in a namespace of their own. */
async function fillMedia(): Promise<void> {
  const { client } = cluster;
  const namespace = "media";
  await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const put = async <T extends KubeObject & { status?: object }>(type: ResourceType<T>, object: T): Promise<T> => {
    const { uid: _uid, ...metadata } = object.metadata;
    const stored = await client.create(type, { ...object, metadata: { ...metadata, namespace } });
    const key = { namespace, name: stored.metadata.name ?? "" };
    const body = { status: object.status };
    return await client.patch(type, key, { type: "merge", subresource: "status", body });
  };
  for (const [name, items] of Object.entries({ blog: ["db", "web"], wiki: ["login", "proxy", "search"] })) {
    const root = await put(resources.installation, installation({ name, status: ended("Succeeded") }));
    const owner = await put(resources.execution, execution(root, ended("Succeeded")));
    for (const item of items) {
      const status = { ...ended("Succeeded"), providerStatus: { mode: "release", helmVersion: "3" } };
      const state = { item, spec: { type: helmType }, status };
      await put(resources.deployItem, deployItem(owner, state));
    }
  }
}

/** The release that the page compares with. */
const blogRelease: ReleaseRecord = {
  name: "blog",
  namespace: "shops",
  version: 1,
  info: { first_deployed: created, last_deployed: created, deleted: "", description: "", status: "deployed" },
  chart: { metadata: { name: "web", version: "1.0.0" } },
  config: { name: "texts", replicas: 2 },
  manifest: `---
# Source: web/templates/web.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: texts
---
# Source: web/templates/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: blog
spec:
  replicas: 2
`,
  hooks: [],
};

/** The deployer's part in the examples of diff. */
const plans = {
  "blog-config": {
    summary: "2 to update, 1 unchanged",
    text: [
      "update ConfigMap blog/config",
      '  ~ .data.level: "info" -> "debug"',
      "update Secret blog/login",
      '  ~ .data.password: "(masked)" -> "(masked)"',
      "2 to update, 1 unchanged",
      "",
    ].join("\n"),
    changes: [{}, {}],
  },
  "blog-web": { summary: "1 unchanged", text: "1 unchanged\n", changes: [] },
};

interface Switch {
  readonly version?: string;
  readonly why?: string;
  readonly result: string;
  readonly lines: readonly string[];
  readonly changes?: readonly object[];
}

function answerOf({ version = "3", why = "of its release", result, lines, changes = [] }: Switch): PlayedPlan {
  const to = version === "3" ? "4" : "3";
  const [verdict = "", ...more] = lines;
  const text = [`Helm ${version} (${why}) -> Helm ${to}: ${verdict}`, ...more, ""].join("\n");
  const details = { helm: { version, source: "release", recorded: version, switch: { to, result } } };
  return { summary: verdict, text, changes, details };
}

/** The helm deployer's part in the example of `helm versions`. */
const switches = {
  "blog-db": answerOf({ result: "whiteSpace", lines: ["white space only"] }),
  "blog-web": answerOf({
    result: "changes",
    lines: [
      "2 to update, 1 workload restarts pods",
      "update ConfigMap media/limits: R1-R5 null in values.yaml",
      "update Deployment media/web: R13 .Capabilities.HelmVersion; restarts pods",
    ],
    changes: [{ restartsPods: false }, { restartsPods: true }],
  }),
  "wiki-login": answerOf({
    why: "default",
    result: "unknown",
    lines: [
      "cannot be known, because templates render differently each time; 1 unknown",
      "unknown Secret media/login: rendered differently each time",
    ],
  }),
  "wiki-proxy": "Target media/eu: the server https://10.0.0.1:6443 does not answer",
  "wiki-search": answerOf({
    version: "4",
    why: "set by the item",
    result: "refused",
    lines: ["Helm 3 refuses the chart: chart search: search/templates/a.yaml:3:14: can't evaluate field Team"],
  }),
};

it("shows in docs/guide/cli.md what the commands print", async () => {
  const page = readFileSync(pagePath, "utf8");
  const { files, commands } = readExamples(page);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const made = [
    "folder",
    "chart",
    "shop",
    "ctf",
    "cart-ctf",
    "signer.pem",
    "signer.pub",
    "mirror",
    "notes.txt",
    "cart-copy",
  ];
  const known = new Set([...Object.keys(files), ...made]);
  const outputs: string[] = [];
  const deployer = playPlans(cluster, plans);
  const helmDeployer = playPlans({ client: cluster.client, namespace: "media" }, switches);
  for (const command of commands) {
    // A component's name stands behind the repository's.
    const words = command.split(" ").map((word) => (known.has(word.split("//")[0] ?? "") ? `${folder}/${word}` : word));
    // The core's part: a new job begins, and succeeds.
    const started = words.includes("paint") ? "paint" : words.includes("--wait") ? "blog" : undefined;
    const played = started === undefined ? undefined : beginJob(cluster, started, "77d0");
    const { stdout, stderr } = await runProgram(words, {
      environment: { KUBECONFIG: cluster.kubeconfig },
      onWrite: (text) => {
        const status = { phase: "Succeeded", jobIDFinished: "77d0" };
        if (started === undefined || !text.endsWith(`${started}: Progressing\n`)) return;
        void cluster.setStatus(resources.installation, started, status);
      },
    });
    await played;
    outputs.push(`${stdout}${stderr}`.replaceAll(`${folder}/`, ""));
  }
  await deployer.stop();
  await helmDeployer.stop();
  expect(commands.length).toBeGreaterThan(8);
  expect(withOutputs(page, outputs)).toBe(page);
});
