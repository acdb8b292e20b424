// What our command builds, signs and pushes, read by other tools of the field, and what those push, read by ours.
import { execFile } from "node:child_process";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { digestOf } from "@landscaper/oci";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { parse, stringify } from "yaml";
import { findOracle } from "../../oracles/build-oracle.ts";
import { createRealHelm, type RealHelm } from "../../helm-releases/real-helm.ts";

const root = join(import.meta.dirname, "../../..");
const command = join(root, "bin/landscaper");
const landscape = "example.com/shop/landscape:1.0.0";
const frontend = "example.com/shop/frontend:1.0.0";

const folder = mkdtempSync(join(tmpdir(), "landscaper-component-tools-"));
const file = (name: string): string => join(folder, name);
const execute = promisify(execFile);

/** What a command prints. Throws with its words when it fails. */
async function run(program: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await execute(program, words, { cwd: folder, env: { ...process.env, HOME: folder } });
  return stdout;
}

const component = async (...words: readonly string[]): Promise<string> => await run(command, "component", ...words);

const missing = programAbsence("docker-registry");

describeUnless(missing, describe)("components of our command", () => {
  let registry: TestRegistry;
  /** With a path, as our command names it. */
  let repository: string;
  beforeAll(async () => {
    cpSync(join(root, "samples/landscape"), folder, { recursive: true });
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    writeFileSync(file("key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    writeFileSync(file("public.pem"), publicKey.export({ type: "spki", format: "pem" }));
    registry = await startTestRegistry();
    repository = `http://${registry.host}/ours`;
    await component("create", "--constructor", "component-constructor.yaml", "--ctf", "shop.ctf");
    await component("sign", `shop.ctf//${landscape}`, "--signature", "release", "--private-key", "key.pem");
    await component("transfer", `shop.ctf//${landscape}`, repository, "--recursive", "--copy-resources");
  });
  afterAll(async () => {
    await registry?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function verify(place: string): Promise<string> {
    return await component("verify", `${place}//${landscape}`, "--signature", "release", "--public-key", "public.pem");
  }

  /** The reference of the chart that the transfer has made an artifact of the registry. */
  async function chartReference(): Promise<string> {
    const text = await component("get", `${repository}//${frontend}`, "--schema", "v3alpha1");
    const { spec } = parse(text) as {
      spec: { resources: readonly { name: string; access: { imageReference: string } }[] };
    };
    const reference = spec.resources.find(({ name }) => name === "chart")?.access.imageReference ?? "";
    return reference.replace(/^https?:\/\//, "");
  }

  describeUnless(programAbsence("go"), describe)("and helm", () => {
    let helm: RealHelm;
    beforeAll(() => {
      helm = createRealHelm("", "default");
    }, 240_000);
    afterAll(() => helm?.dispose());

    it("pull and render the chart that was pushed with a component", async () => {
      const [name = ""] = (await chartReference()).split(/:[^/]*$/);
      const flags = ["--version", "0.1.0", "--plain-http"];
      await helm.run("pull", `oci://${name}`, ...flags, "--destination", folder);
      await component("download", `shop.ctf//${frontend}`, "--resource", "chart", "--unpack", "-o", "chart-of-ctf");
      await run("tar", "-xzf", "frontend-0.1.0.tgz", "--one-top-level=pulled");
      expect(await run("diff", "-r", "pulled/frontend", "chart-of-ctf/frontend")).toBe("");
      const rendered = await helm.run("template", "web", `oci://${name}`, ...flags);
      expect(rendered).toBe(await run(command, "helm", "template", "web", `oci://${name}`, ...flags));
      expect(rendered).toContain("# Source: frontend/templates/");
    });

    it("exchange a chart that helm has pushed", async () => {
      await helm.run("package", join(root, "samples/landscape/frontend/chart"), "--version", "3.2.1", "-d", folder);
      await helm.run("push", file("frontend-3.2.1.tgz"), `oci://${registry.host}/theirs`, "--plain-http");
      const access = { type: "ociArtifact", imageReference: `http://${registry.host}/theirs/frontend:3.2.1` };
      const chart = { name: "chart", type: "helmChart", version: "3.2.1", relation: "external", access };
      const constructor = { name: "example.com/theirs", version: "1.0.0", provider: "x", resources: [chart] };
      writeFileSync(file("theirs.yaml"), stringify(constructor));
      await component("create", "--constructor", "theirs.yaml", "--ctf", "theirs.ctf");
      const copied = `${repository}/copied`;
      await component("transfer", "theirs.ctf//example.com/theirs:1.0.0", copied, "--copy-resources");
      await helm.run(
        "pull",
        `oci://${registry.host}/ours/copied/theirs/frontend`,
        "--version",
        "3.2.1",
        "--plain-http",
        "-d",
        file("."),
        "--untar",
        "--untardir",
        file("again"),
      );
      await run("tar", "-xzf", "frontend-3.2.1.tgz", "--one-top-level=packed");
      expect(await run("diff", "-r", "packed/frontend", "again/frontend")).toBe("");
    });
  });

  describeUnless(programAbsence("skopeo"), describe)("and skopeo", () => {
    const place = (name: string): string => `docker://${registry.host}/${name}`;
    const artifact = (under: string): string => place(`${under}/component-descriptors/${landscape}`);

    it("agree about the manifest and its digest", async () => {
      const raw = await run("skopeo", "inspect", "--raw", "--tls-verify=false", artifact("ours"));
      expect(JSON.parse(raw)).toMatchObject({
        schemaVersion: 2,
        config: { mediaType: "application/vnd.ocm.software.component.config.v1+json" },
      });
      // The copy in the registry names the registry; a copy of it in files has the same bytes.
      await component("transfer", `${repository}//${landscape}`, "back.ctf");
      const index = JSON.parse(readFileSync(file("back.ctf/artifact-index.json"), "utf8")) as {
        artifacts: readonly { repository: string; digest: string; tag?: string }[];
      };
      const stored = index.artifacts.find(
        ({ repository: name, tag }) => name.endsWith("/shop/landscape") && tag === "1.0.0",
      );
      expect(stored?.digest).toBe(digestOf(Buffer.from(raw)));
    });

    it("copy a component by an OCI layout into another repository, signature and content included", async () => {
      for (const each of [landscape, frontend, "example.com/shop/database:1.0.0"]) {
        const name = `component-descriptors/${each}`;
        const layout = `oci:${file("layout")}:${each.replaceAll(/[/:]/g, "-")}`;
        await run("skopeo", "copy", "--src-tls-verify=false", place(`ours/${name}`), layout);
        await run("skopeo", "copy", "--dest-tls-verify=false", layout, place(`copied/${name}`));
      }
      const lines = await verify(`http://${registry.host}/copied`);
      expect(lines).toContain(`verified: component ${landscape}\n`);
      expect(lines).toContain(`verified: component ${frontend}: resource "chart"\n`);
    });
  });

  const ocm = process.env["OCM_CLI"] ?? findOracle("ocm")?.program ?? "";
  describeUnless(
    ocm === "" ? "OCM_CLI names no ocm command, and `npm run record -- ocm` has built none" : undefined,
    describe,
  )("and ocm", () => {
    /** Signed in a form that ocm 0.11 knows, in files and in the registry. The name alone would be a host for ocm. */
    const signed = "./signed.ctf";
    let pushed: string;
    beforeAll(async () => {
      const text = createPublicKey(readFileSync(file("public.pem"))).export({ type: "pkcs1", format: "pem" });
      writeFileSync(file("pkcs1.pem"), text);
      pushed = `http://${registry.host}/signed`;
      await component("create", "--constructor", "component-constructor.yaml", "--ctf", signed);
      const words = ["--signature", "release", "--private-key", "key.pem", "--normalisation", "jsonNormalisation/v1"];
      await component("sign", `${signed}//${landscape}`, ...words);
      await component("transfer", `${signed}//${landscape}`, pushed, "--recursive", "--copy-resources");
    });
    const verifyByOcm = async (at: string): Promise<string> =>
      await run(ocm, "verify", "componentversions", "--signature", "release", "--public-key=pkcs1.pem", at);

    it.each(["folder", "registry"])("agree about descriptors and signatures in a %s", async (form) => {
      const at = `${form === "folder" ? signed : pushed}//${landscape}`;
      const theirs = parse(await run(ocm, "get", "componentversions", at, "-o", "yaml")) as { component: object };
      expect(parse(await component("get", at, "--schema", "v2"))).toMatchObject({ component: theirs.component });
      expect(await verifyByOcm(at)).toContain("successfully verified");
    });

    it("copy a component that verifies here", async () => {
      const words = ["--recursive", "--copy-resources", `${signed}//${landscape}`, "./by-ocm.ctf"];
      await run(ocm, "transfer", "componentversions", ...words);
      expect(await verify("./by-ocm.ctf")).toContain(`verified: component ${landscape}\n`);
    });

    it("sign a component that verifies here", async () => {
      await component("create", "--constructor", "component-constructor.yaml", "--ctf", "./for-ocm.ctf");
      const words = ["--signature", "release", "--private-key=pkcs1-key.pem", "--recursive"];
      const key = createPrivateKey(readFileSync(file("key.pem"))).export({ type: "pkcs1", format: "pem" });
      writeFileSync(file("pkcs1-key.pem"), key, { mode: 0o600 });
      await run(ocm, "sign", "componentversions", ...words, `./for-ocm.ctf//${landscape}`);
      expect(await verify("./for-ocm.ctf")).toContain(`verified: component ${landscape}\n`);
    });

    // Our default, which newer programs know. When this test fails, `signed` needs no other normalisation.
    it("differ in jsonNormalisation/v3, which ocm 0.11 does not know", async () => {
      await expect(verifyByOcm(`./shop.ctf//${landscape}`)).rejects.toThrow(
        'normalization algorithm "jsonNormalisation/v3" is unknown',
      );
    });
  });
});
