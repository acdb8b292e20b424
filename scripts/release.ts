// Releases a version: CONTRIBUTING.md says how.
// usage: npm run release -- VERSION --registry HOST/PREFIX [--plain-http] [--allow-token-realm HOST]... [--dry-run] [--arch amd64,arm64] [--images FOLDER]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRegistryLogins } from "@landscaper/cli";
import { createRegistryClient } from "@landscaper/oci";
import { readCommandLine, readOrRefuse } from "./command-line.ts";
import { chartDefinitions } from "./charts/chart-definitions.ts";
import { componentNameOf, findServices } from "./components/deployer-components.ts";
import { findImages } from "./images/image-list.ts";
import { runCommand } from "./run-command.ts";
import { readSourceState } from "./images/source-state.ts";
import { buildContent, completeFolder } from "./release/build-release.ts";
import { parseChangelog, releaseChangelog } from "./release/changelog.ts";
import { checkArguments, decideRelease } from "./release/decide-release.ts";
import { openRelease } from "./release/publish-release.ts";
import { publishedDigest, type ReleaseRegistry } from "./release/release-artifact.ts";

const root = join(import.meta.dirname, "..");
const announce = (line: string): void => console.log(line);
const userAgent = "landscaper-release";

const usage = `usage: npm run release -- VERSION --registry HOST/PREFIX [FLAGS]
  --plain-http                for a registry without TLS
  --allow-token-realm HOST    allows a token service on another host to receive the password; repeatable
  --arch NAMES                architectures of the images; default: amd64,arm64
  --images FOLDER             uses images that were built from this commit; default: builds them
  --dry-run                   prints all changes and pushes, and does nothing`;

interface Release {
  readonly version: string;
  /** HOST/PREFIX */
  readonly place: string;
  readonly registry: ReleaseRegistry;
  readonly isDryRun: boolean;
  readonly architectures: readonly string[];
  readonly images: string | undefined;
}

/** CHANGELOG.md and the version of the product, as a change that the user commits. */
function prepare({ version, isDryRun }: Release): void {
  const file = join(root, "CHANGELOG.md");
  const date = new Date().toISOString().slice(0, "YYYY-MM-DD".length);
  if (isDryRun) {
    announce(
      `would move what is unreleased to "## ${version} - ${date}" in CHANGELOG.md, and set version ${version} in package.json and generated files`,
    );
    return;
  }
  writeFileSync(file, releaseChangelog(parseChangelog(readFileSync(file, "utf8")), version, date));
  const manifest = join(root, "package.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace(/^ {2}"version": "[^"]*"/m, `  "version": "${version}"`));
  // Charts get the version from the generated constant: the second run reads what the first one has written.
  for (const _ of ["constant", "charts"]) {
    runCommand([process.execPath, join(root, "scripts/generate.ts")], { cwd: root });
  }
  announce(
    `CHANGELOG.md, package.json and generated files have version ${version}: commit them, then run the same command again to publish`,
  );
}

/** What is pushed, and whether the registry has something under these names. */
async function describePublishing({ version, place, registry }: Release): Promise<void> {
  const artifacts = [
    ...findImages(root).map(({ name }) => ({ repository: `${place}/${name}`, tag: version })),
    ...chartDefinitions.map(({ name }) => ({ repository: `${place}/charts/${name}`, tag: version })),
  ];
  for (const artifact of artifacts) {
    const digest = await publishedDigest(artifact, registry);
    const verb = digest === undefined ? "would push" : `would compare with ${digest}`;
    announce(`${verb}: ${artifact.repository}:${version}`);
  }
  for (const service of findServices(root)) {
    announce(`would push: ${place}//${componentNameOf(service)}:${version}`);
  }
  announce(`would write dist/release/${version}`);
}

async function publish(release: Release): Promise<void> {
  const { version, place, registry, isDryRun, architectures, images } = release;
  if (isDryRun) {
    await describePublishing(release);
    return;
  }
  const { revision, ...state } = readSourceState(root, process.env);
  if (revision === undefined) throw new Error("expected a commit of git, which the images name");
  const folder = join(root, "dist/release", version);
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "landscaper-release-"));
  try {
    const options = {
      root,
      version,
      registry: place,
      architectures,
      images,
      state: { ...state, revision },
      folder,
      work,
      announce,
    };
    const content = await buildContent(options);
    const opened = await openRelease(content, registry);
    await completeFolder(options);
    await opened.publish(announce);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  announce(`released ${version}: files in dist/release/${version}`);
}

function changedFiles(): string[] {
  const { status, stdout, stderr } = spawnSync("git", ["status", "--porcelain", "-z"], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git status: ${stderr.trim()}`);
  return stdout
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => entry.slice("XY ".length));
}

async function main(): Promise<void> {
  const { values, positionals } = readCommandLine({
    usage,
    options: {
      registry: { type: "string", default: "" },
      "plain-http": { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      arch: { type: "string", default: "amd64,arm64" },
      images: { type: "string" },
      "allow-token-realm": { type: "string", multiple: true, default: [] },
    },
    acceptsPositionals: true,
  });
  const { version, place } = readOrRefuse(() => checkArguments({ positionals, registry: values.registry }), {
    name: "release",
    usage,
  });
  const { version: packageVersion } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const changelog = parseChangelog(readFileSync(join(root, "CHANGELOG.md"), "utf8"));
  const step = decideRelease({ version, packageVersion, changelog, changedFiles: changedFiles() });
  const plainHttp = values["plain-http"];
  const tokenRealms = {
    hosts: values["allow-token-realm"],
    advice: (host: string) => `use --allow-token-realm ${host}`,
  };
  const client = createRegistryClient({ userAgent, allowPlainHttp: plainHttp, tokenRealms });
  const logins = readRegistryLogins(undefined, {
    environment: process.env,
    writeError: (text) => process.stderr.write(text),
  });
  const { signal } = new AbortController();
  const release = {
    version,
    place,
    registry: { session: client.session(logins), plainHttp, signal },
    isDryRun: values["dry-run"],
    architectures: values.arch.split(","),
    images: values.images,
  };
  try {
    if (step === "prepare") prepare(release);
    else await publish(release);
  } finally {
    await client.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
