// The packages that deployers are made of, in a project of somebody else: built, packed and installed by npm, without this workspace.
import { execFile, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { startPackageRegistry, type PackageRegistry } from "../src/artifacts/package-registry.ts";

const root = join(import.meta.dirname, "../..");
const guide = readGuideExamples("../deployer-authors.md");
const page = readFileSync(join(root, "docs/deployer-authors.md"), "utf8");

/** What an author would write: the deployer installs, exports and uninstalls on two embedded clusters. */
const trial = `
import { kubeResources } from "@landscaper/api";
import { createDeployerFixture } from "@landscaper/deployer/testing";
import { greetingDeployer } from "./greeting-deployer.ts";

const fixture = await createDeployerFixture();
fixture.start({ deployer: greetingDeployer });
const scope = await fixture.scope("greeting");
await scope.createTarget();
const { namespace } = scope;
const config = { apiVersion: "example.org/v1", kind: "Greeting", namespace, text: "hello" };
await scope.create({ name: "item", spec: { type: "example.org/greeting", target: { name: "cluster" }, config } });
const { status } = await scope.waitForEnd("item");
const live = await fixture.targetClient.get(kubeResources.configMap, { namespace, name: "item" });
await scope.remove("item");
await scope.waitUntilGone("item");
await fixture.stop();
console.log(JSON.stringify({ phase: status?.phase, exports: status?.exportRef?.name, data: live.data }));
`;
const tsconfig = {
  compilerOptions: {
    module: "nodenext",
    target: "es2023",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  },
};

let project: string;
let registry: PackageRegistry;

/** The TypeScript block of the page that holds this text. */
function exampleWith(text: string): string {
  const block = [...page.matchAll(/```ts\n([^]*?)```/g)]
    .map(([, code = ""]) => code)
    .find((code) => code.includes(text));
  if (block === undefined) throw new Error(`docs/deployer-authors.md has no example with ${text}`);
  return block;
}

/** Runs a command in the project; the registry of the test is the only one that npm knows. */
async function run(line: string): Promise<string> {
  const [command = "", ...args] = line.split(" ");
  // What Jest sets for its workers is not for this project.
  const { NODE_OPTIONS: _options, ...rest } = process.env;
  const env = { ...rest, npm_config_registry: registry.url, npm_config_cache: join(project, ".npm") };
  const { stdout } = await promisify(execFile)(command, args, { cwd: project, env, encoding: "utf8" }).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${line}: ${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
    },
  );
  return stdout;
}

beforeAll(async () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/packages.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm run packages failed: ${stdout}${stderr}`);
  const folders = globSync("dist/packages/*/package.json", { cwd: root }).map((file) => join(root, file, ".."));
  registry = await startPackageRegistry(root, folders);
  project = mkdtempSync(join(tmpdir(), "landscaper-author-"));
});
afterAll(async () => {
  await registry.stop();
  rmSync(project, { recursive: true, force: true });
});

describe("docs/deployer-authors.md, in a project of its own", () => {
  it("installs what the page says, from packages that name no other registry", async () => {
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "author", private: true, type: "module" }));
    for (const command of guide.commands("In a project of your own").flat())
      await run(`${command} --ignore-scripts --no-audit`);
    const lock = readFileSync(join(project, "package-lock.json"), "utf8");
    expect(lock).not.toMatch(/"(?:workspace|catalog):/);
    expect(lock).toContain(`"node_modules/@landscaper/resources": {`);
  });

  it("has types that the deployer of the page is checked with", async () => {
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(tsconfig));
    writeFileSync(join(project, "greeting-deployer.ts"), exampleWith("const greetingDeployer"));
    writeFileSync(join(project, "main.ts"), exampleWith("await runMain("));
    writeFileSync(join(project, "trial.ts"), trial);
    expect(await run("npx --no-install tsc")).toBe("");
    writeFileSync(
      join(project, "main.ts"),
      exampleWith("await runMain(").replace("createDeployer:", "createDeployers:"),
    );
    await expect(run("npx --no-install tsc")).rejects.toThrow("'createDeployers' does not exist in type");
    writeFileSync(join(project, "main.ts"), exampleWith("await runMain("));
  });

  it("makes a process with the flags of all deployers", async () => {
    expect(await run(`${process.execPath} main.ts --help`)).toContain("--landscaper-kubeconfig");
  });

  it("makes a deployer that installs and uninstalls", async () => {
    const printed = await run(`${process.execPath} trial.ts`);
    expect(JSON.parse(printed.trim().split("\n").at(-1) ?? "")).toEqual({
      phase: "Succeeded",
      exports: "item-export",
      data: { greeting: "hello" },
    });
  });
});
