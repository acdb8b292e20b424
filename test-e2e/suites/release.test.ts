// `npm run release` in a clone, to a registry on loopback: the real helm and skopeo read what it pushes. Images are tiny ones; npm run e2e:full builds the real ones.
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { findImages } from "../../scripts/images/image-list.ts";
import { containerAbsence } from "../images/container.ts";
import { buildOracle, oracleAbsence } from "../oracles/build-oracle.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { copySources } from "../src/examples/clone.ts";
import { writeSampleImage } from "../src/artifacts/sample-images.ts";
import { isFullRun } from "../src/clusters/selected-clusters.ts";

const root = join(import.meta.dirname, "../..");
/** Newer than all of the changelog. */
const version = "1000.0.0";
const names = findImages(root).map(({ name }) => name);
const guide = readGuideExamples("../../CONTRIBUTING.md");
const components = ["container-deployer", "helm-deployer", "landscaper-agent", "manifest-deployer", "mock-deployer"];
const charts = [
  "container-deployer",
  "helm-deployer",
  "landscaper",
  "landscaper-agent",
  "landscaper-stack",
  "manifest-deployer",
  "mock-deployer",
];
const buildsImages = isFullRun() && containerAbsence() === undefined;
const missing =
  programAbsence("docker-registry") ?? programAbsence("skopeo") ?? programAbsence("git") ?? oracleAbsence("helm");
const buildMs = 900_000;

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

describeUnless(missing, describe)("npm run release", () => {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-release-"));
  const clone = join(folder, "clone");
  const images = join(folder, "images");
  const written = join(clone, "dist/release", version);
  let registry: TestRegistry;

  async function run(command: string, ...args: readonly string[]): Promise<Ended> {
    // What Jest and its parent set for themselves is not for the processes of the clone.
    const { NODE_OPTIONS: _options, JEST_WORKER_ID: _worker, ...rest } = process.env;
    const env = { ...rest, HOME: folder };
    return await new Promise((resolve) => {
      execFile(command, args, { cwd: clone, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
        resolve({ stdout, stderr, status: error === null ? 0 : Number(Reflect.get(error, "code")) });
      });
    });
  }

  async function succeed(command: string, ...args: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await run(command, ...args);
    if (status !== 0) throw new Error(`${command} ${args.join(" ")}: exit code ${status}\n${stdout}${stderr}`);
    return stdout;
  }

  const git = async (...args: readonly string[]): Promise<string> =>
    await succeed("git", "-c", "user.name=Test", "-c", "user.email=test@example.com", ...args);
  const helm = async (...args: readonly string[]): Promise<string> =>
    await succeed(join(buildOracle("helm").folder, "helm"), ...args);
  const place = (prefix: string): string => `${registry.host}/${prefix}`;

  /** Calls the release of the version into a prefix of the registry. */
  async function release(prefix: string, ...args: readonly string[]): Promise<Ended> {
    const node = join(clone, "node_modules/node/bin/node");
    const given = buildsImages ? [] : ["--images", images];
    const flags = ["--registry", place(prefix), "--plain-http", "--arch", "amd64", ...given, ...args];
    return await run(node, "scripts/release.ts", version, ...flags);
  }

  async function writeImages(content: string): Promise<void> {
    const revision = (await git("rev-parse", "HEAD")).trim();
    for (const name of names) {
      await writeSampleImage(images, { name, architecture: "amd64", version, revision, content: `${name} ${content}` });
    }
  }

  const sums = (): string => readFileSync(join(written, "SHA256SUMS"), "utf8");

  beforeAll(async () => {
    copySources(clone);
    const changelog = readFileSync(join(clone, "CHANGELOG.md"), "utf8");
    writeFileSync(join(clone, "CHANGELOG.md"), changelog.replace("## Unreleased\n", "## Unreleased\n\n- A change.\n"));
    await succeed("node", "scripts/bootstrap.mjs");
    await git("init", "--quiet");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "all");
    registry = await startTestRegistry();
  }, 300_000);
  afterAll(async () => {
    await registry?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("refuses a tree with changes", async () => {
    writeFileSync(join(clone, "NOTES.md"), "");
    expect(await release("team")).toEqual({
      status: 1,
      stdout: "",
      stderr: "release: expected a clean tree, found changes in NOTES.md; commit them first\n",
    });
    rmSync(join(clone, "NOTES.md"));
  });

  it("says what would change in the files, and changes nothing", async () => {
    const { status, stdout } = await release("team", "--dry-run");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^would move what is unreleased to "## 1000\.0\.0 - \d{4}-\d\d-\d\d" in CHANGELOG\.md, and set version 1000\.0\.0 in package\.json and generated files\n$/,
      ),
    });
    expect(await git("status", "--porcelain")).toBe("");
  });

  it("gives changelog, product and charts the version, as a change to commit", async () => {
    const { status, stdout, stderr } = await release("team");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("commit them, then run the same command again to publish");
    const changed = await git("diff", "--name-only");
    expect(changed.trimEnd().split("\n")).toEqual(
      [
        "CHANGELOG.md",
        ...["common", ...charts].map((chart) => `k8s/charts/${chart}/Chart.yaml`),
        "libs/api/src/product-version.ts",
        "package.json",
      ].toSorted(),
    );
    expect(readFileSync(join(clone, "CHANGELOG.md"), "utf8")).toMatch(
      /\n## Unreleased\n\n## 1000\.0\.0 - \d{4}-\d\d-\d\d\n\n- A change\.\n/,
    );
    const [[, commit = "", , tag = ""] = []] = guide.commands("Release a version", [4]);
    for (const line of [commit, tag]) await git(...line.replace("1.2.0", version).split(" ").slice(1));
    await writeImages("1");
  });

  it("says what would be pushed, and pushes nothing", async () => {
    const { status, stdout } = await release("team", "--dry-run");
    expect({ status, lines: stdout.trimEnd().split("\n").toSorted() }).toEqual({
      status: 0,
      lines: [
        ...names.map((name) => `would push: ${place("team")}/${name}:${version}`),
        ...charts.map((name) => `would push: ${place("team")}/charts/${name}:${version}`),
        ...components.map((name) => `would push: ${place("team")}//landscaper.gardener.cloud/${name}:${version}`),
        `would write dist/release/${version}`,
      ].toSorted(),
    });
    expect(
      (await run("skopeo", "list-tags", "--tls-verify=false", `docker://${place("team")}/landscaper`)).status,
    ).toBe(1);
  });

  it(
    "pushes images, then charts, then components, which refer to them",
    async () => {
      const { status, stdout, stderr } = await release("team");
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const pushed = stdout.split("\n").filter((line) => line.startsWith("pushed: "));
      const digest = "@sha256:[0-9a-f]{64}";
      const expected = [
        ...names.map((name) => `${place("team")}/${name}:${version}${digest}`),
        ...charts.map((name) => `${place("team")}/charts/${name}:${version}${digest}`),
        ...components.map((name) => `component landscaper.gardener.cloud/${name}:${version}`),
      ];
      expect(pushed).toEqual(expected.map((text) => expect.stringMatching(new RegExp(`^pushed: ${text}$`))));
      expect(await registry.listPushes()).toEqual([
        ...names.map((name) => `team/${name}:${version}`),
        ...charts.map((name) => `team/charts/${name}:${version}`),
        ...components.map((name) => `team/component-descriptors/landscaper.gardener.cloud/${name}:${version}`),
      ]);
    },
    buildMs,
  );

  it("pushes images that skopeo reads, for their architecture", async () => {
    const reference = `docker://${place("team")}/helm-deployer:${version}`;
    const found = JSON.parse(
      await succeed("skopeo", "inspect", "--override-arch=amd64", "--tls-verify=false", reference),
    ) as { readonly Architecture: string; readonly Labels: Record<string, string> };
    expect(found).toMatchObject({
      Architecture: "amd64",
      Labels: {
        "org.opencontainers.image.title": "helm-deployer",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.revision": (await git("rev-parse", "HEAD")).trim(),
      },
    });
    await succeed(
      "skopeo",
      "copy",
      "--override-arch=amd64",
      "--src-tls-verify=false",
      reference,
      `dir:${join(folder, "pulled")}`,
    );
  });

  it("pushes charts that the real helm pulls, with images in that registry", async () => {
    const from = `oci://${place("team")}/charts/landscaper-stack`;
    await helm("pull", from, "--version", version, "--plain-http", "--destination", folder);
    const rendered = await helm("template", "ls", join(folder, `landscaper-stack-${version}.tgz`));
    // The core's image also removes its finalizers when the chart is uninstalled.
    const images = [...rendered.matchAll(/^ *image: "(.*)"$/gm)].map(([, image = ""]) => image);
    expect(images.toSorted()).toEqual(
      ["helm-deployer", "landscaper-core", "landscaper-core", "manifest-deployer"].map(
        (name) => `${place("team")}/${name}:${version}`,
      ),
    );
  });

  it("pushes components that name the image by its digest", async () => {
    const where = `http://${place("team")}//landscaper.gardener.cloud/mock-deployer`;
    const printed = await succeed(join(root, "bin/landscaper"), "component", "get", where, "--output", "json");
    const { resources } = (JSON.parse(printed) as { component: { resources: readonly object[] } }).component;
    const image = `docker://${place("team")}/mock-deployer:${version}`;
    const raw = await succeed("skopeo", "inspect", "--raw", "--tls-verify=false", image);
    writeFileSync(join(folder, "manifest.json"), raw);
    const digest = (await succeed("skopeo", "manifest-digest", join(folder, "manifest.json"))).trim();
    expect(resources).toContainEqual(
      expect.objectContaining({
        name: "image",
        access: { type: "ociArtifact", imageReference: `${place("team")}/mock-deployer:${version}@${digest}` },
      }),
    );
  });

  it("writes all files with their checksums, and a command that runs", async () => {
    const files = globSync("**/*.*", { cwd: written }).toSorted();
    expect(files.filter((file) => !file.startsWith("packages/"))).toEqual(
      [
        ...charts.map((name) => `charts/${name}-${version}.tgz`),
        `components-${version}.tgz`,
        "crds.yaml",
        ...names.flatMap((name) => [`images/${name}-amd64.cdx.json`, `images/${name}-amd64.tar`]),
        `landscaper-${version}.tgz`,
        "references.txt",
        "release-notes.md",
      ].toSorted(),
    );
    expect(files).toContain(`packages/landscaper-deployer-${version}.tgz`);
    const checked = await succeed("bash", "-c", `cd ${written} && sha256sum --check --strict SHA256SUMS`);
    expect(checked.trimEnd().split("\n")).toEqual(files.map((file) => `${file}: OK`));
    expect(readFileSync(join(written, "release-notes.md"), "utf8")).toMatch(/^- A change\.\n/);
    await succeed("tar", "-xzf", join(written, `landscaper-${version}.tgz`), "-C", folder);
    expect(await succeed(process.execPath, join(folder, `landscaper-${version}/landscaper.mjs`), "--version")).toBe(
      `landscaper ${version}\n`,
    );
    const listed = await succeed(
      join(root, "bin/landscaper"),
      "component",
      "list",
      join(written, `components-${version}.tgz`),
    );
    expect(listed).toBe(components.map((name) => `landscaper.gardener.cloud/${name}\n`).join(""));
  });

  it(
    "goes on when it is called again, with the same digests",
    async () => {
      const before = sums();
      const { status, stdout } = await release("team");
      expect(status).toBe(0);
      expect(stdout).not.toContain("pushed: ");
      expect(stdout.match(/^there already: /gm)).toHaveLength(names.length + charts.length + components.length);
      expect(sums()).toBe(before);
    },
    buildMs,
  );

  it(
    "refuses another content under the version before it pushes anything",
    async () => {
      const archive = join(written, "images/mock-deployer-amd64.tar");
      const other = `docker://${place("other")}/mock-deployer:${version}`;
      await succeed("skopeo", "copy", "--dest-tls-verify=false", `oci-archive:${archive}`, other);
      // Charts and components have the registry in them.
      const chart = join(written, `charts/landscaper-${version}.tgz`);
      await helm("push", chart, `oci://${place("other")}/charts`, "--plain-http");
      const component = `${join(written, `components-${version}.tgz`)}//landscaper.gardener.cloud/mock-deployer`;
      await succeed(join(root, "bin/landscaper"), "component", "push", component, `http://${place("other")}`);
      const before = await registry.listPushes();
      const { status, stderr } = await release("other");
      expect(status).toBe(1);
      expect(stderr).toMatch(
        new RegExp(
          `^release: ${place("other")} has another content of version ${version}, and a version never changes; release a new one:\n` +
            `${place("other")}/mock-deployer:${version}: expected sha256:[0-9a-f]{64}, found sha256:[0-9a-f]{64}\n` +
            `${place("other")}/charts/landscaper:${version}: expected sha256:[0-9a-f]{64}, found sha256:[0-9a-f]{64}\n` +
            `component landscaper.gardener.cloud/mock-deployer:${version}: expected the descriptor that was built now, found another one\n$`,
        ),
      );
      expect(await registry.listPushes()).toEqual(before);
    },
    buildMs,
  );
});
