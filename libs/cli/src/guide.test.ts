import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { type ReleaseRecord, ReleaseStore } from "@landscaper/helm-release";
import { artifactOf, writeTransport } from "@landscaper/components/testing";
import { playPlans } from "@landscaper/testkit";
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

it("shows in docs/guide/cli.md what the commands print", async () => {
  const page = readFileSync(pagePath, "utf8");
  const { files, commands } = readExamples(page);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const made = ["folder", "chart", "shop", "ctf", "cart-ctf", "signer.pem", "signer.pub", "mirror", "notes.txt", "cart-copy"];
  const known = new Set([...Object.keys(files), ...made]);
  const outputs: string[] = [];
  const deployer = playPlans(cluster, plans);
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
  expect(commands.length).toBeGreaterThan(8);
  expect(withOutputs(page, outputs)).toBe(page);
});
