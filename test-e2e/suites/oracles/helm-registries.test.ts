// Charts that the real `helm push` and `helm pull` and our client exchange through a real registry, and what versions both choose.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, findProgram, programAbsence } from "@landscaper/testkit";
import { createChartFetcher, type ChartFetcher, type FetchedChart } from "@landscaper/chart-source";
import { bcryptHash } from "@landscaper/golang";
import { createCertificateAuthority } from "@landscaper/local-cluster";
import { digestOf, type CredentialEntry } from "@landscaper/oci";
import { startTestRegistry, type TestRegistry, type TestRegistryOptions } from "@landscaper/oci/testing";
import { createRealHelm, type RealHelm } from "../../helm-releases/real-helm.ts";
import { writeChart, type ChartFolder } from "../../helm-releases/write-chart.ts";
import { pushChart } from "../../src/artifacts/push-chart.ts";

const { signal } = new AbortController();
const authority = createCertificateAuthority("registry authority", Date.now);
const { cert, key } = authority.issue({ commonName: "registry", hosts: ["127.0.0.1"] });
const user = "robot";
const password = "correct-horse";
const htpasswd = `${user}:${bcryptHash(password, 4, Buffer.alloc(16, 7))}\n`;
const signer = "Signer <signer@example.test>";

interface Case {
  readonly name: string;
  readonly registry: TestRegistryOptions;
  readonly scheme: "http" | "https";
  readonly isPrivate: boolean;
}

const cases: readonly Case[] = [
  { name: "plain http", registry: {}, scheme: "http", isPrivate: false },
  { name: "plain http and a password", registry: { htpasswd }, scheme: "http", isPrivate: true },
  { name: "TLS by an authority of its own", registry: { tls: { cert, key } }, scheme: "https", isPrivate: false },
  { name: "TLS and a password", registry: { tls: { cert, key }, htpasswd }, scheme: "https", isPrivate: true },
];

/** Files of all tests: a chart, packed and signed. */
let folder: string;
let chart: ChartFolder;
let helm: RealHelm;

const describeWithRegistry = describeUnless(programAbsence("docker-registry"), describe);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-registries-"));
  writeFileSync(join(folder, "ca.crt"), authority.cert);
  chart = writeChart();
  helm = createRealHelm("", "default");
}, 240_000);
afterAll(() => {
  helm?.dispose();
  chart?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function pack(version: string, ...flags: readonly string[]): Promise<string> {
  await helm.run("package", chart.path, "--version", version, "--destination", folder, ...flags);
  return join(folder, `shop-${version}.tgz`);
}

/** Keys that only this test has, and a chart that is signed by them. */
async function packSigned(version: string): Promise<{ archive: string; publicKeys: string }> {
  const home = join(folder, "keys");
  if (!existsSync(home)) mkdirSync(home);
  chmodSync(home, 0o700);
  const gpg = (...args: readonly string[]): Buffer => {
    const { status, stdout, stderr } = spawnSync(findProgram("gpg") ?? "gpg", ["--homedir", home, "--batch", ...args]);
    if (status !== 0) throw new Error(`gpg ${args[0]}: ${stderr.toString()}`);
    return stdout;
  };
  const [secretKeys, publicKeys] = [join(folder, "secret.gpg"), join(folder, "public.gpg")];
  try {
    if (!existsSync(publicKeys)) {
      gpg("--passphrase", "", "--quick-generate-key", signer, "rsa2048", "default", "never");
      writeFileSync(secretKeys, gpg("--export-secret-keys"));
      writeFileSync(publicKeys, gpg("--export"));
    }
  } finally {
    // Its agent lives on else.
    spawnSync(findProgram("gpgconf") ?? "gpgconf", ["--homedir", home, "--kill", "all"]);
  }
  return { archive: await pack(version, "--sign", "--key", "Signer", "--keyring", secretKeys), publicKeys };
}

const pushed = /^Pushed: (.+)\nDigest: (sha256:[0-9a-f]{64})$/m;
const pulled = /^Pulled: (.+)\nDigest: (sha256:[0-9a-f]{64})$/m;

for (const each of cases)
  describeWithRegistry(`charts in a registry with ${each.name}`, () => {
    const { scheme, isPrivate } = each;
    let registry: TestRegistry;
    let fetcher: ChartFetcher;
    let credentials: readonly CredentialEntry[];
    let flags: readonly string[];

    beforeAll(async () => {
      registry = await startTestRegistry(each.registry);
      fetcher = createChartFetcher({ userAgent: "landscaper-e2e" });
      const login = isPrivate ? { username: user, password } : {};
      credentials = [{ host: registry.host, path: "", credential: { ...login, certificateAuthority: authority.cert } }];
      flags = [
        ...(scheme === "http" ? ["--plain-http"] : ["--ca-file", join(folder, "ca.crt")]),
        ...(isPrivate ? ["--username", user, "--password", password] : []),
      ];
    });
    afterAll(async () => {
      await fetcher?.close();
      await registry?.stop();
    });

    const reference = (version: string): string => `${scheme}://${registry.host}/charts/shop:${version}`;

    async function fetchOurs(version: string): Promise<FetchedChart> {
      return await fetcher.fetch({ ref: reference(version) }, { registries: credentials, repositories: [], signal });
    }

    async function pull(version: string, ...more: readonly string[]): Promise<{ digest: string; folder: string }> {
      const target = mkdtempSync(join(folder, "pulled-"));
      const chartUrl = `oci://${registry.host}/charts/shop`;
      const { stderr } = await helm.tell(
        "pull",
        chartUrl,
        "--version",
        version,
        "--destination",
        target,
        ...flags,
        ...more,
      );
      return { digest: pulled.exec(stderr)?.[2] ?? "", folder: target };
    }

    it("what helm pushes we fetch, byte for byte and with its digest", async () => {
      const archive = await pack("1.0.0");
      const { stderr } = await helm.tell("push", archive, `oci://${registry.host}/charts`, ...flags);
      const [, place, digest] = pushed.exec(stderr) ?? [];
      const found = await fetchOurs("1.0.0");
      expect({ place: `${scheme}://${place}@${digest}`, digest: digestOf(readFileSync(archive)) }).toEqual({
        place: found.origin,
        digest: found.digest,
      });
    });

    it("what we push helm pulls, byte for byte and with our digest", async () => {
      const archive = readFileSync(await pack("2.0.0"));
      const digest = await pushChart({ reference: reference("2.0.0"), archive, credentials });
      const found = await pull("2.0.0");
      expect(found.digest).toBe(digest);
      expect(readFileSync(join(found.folder, "shop-2.0.0.tgz")).equals(archive)).toBe(true);
      const shown = await helm.run(
        "template",
        "rel",
        `oci://${registry.host}/charts/shop`,
        "--version",
        "2.0.0",
        ...flags,
      );
      expect(shown).toBe(await helm.run("template", "rel", join(folder, "shop-2.0.0.tgz")));
    });

    describeUnless(programAbsence("gpg"), describe)("with a signature", () => {
      it("it is neither in our way nor lost by us", async () => {
        const { archive, publicKeys } = await packSigned("3.0.0");
        await helm.tell("push", archive, `oci://${registry.host}/charts`, ...flags);
        expect((await fetchOurs("3.0.0")).digest).toBe(digestOf(readFileSync(archive)));
        const { archive: own } = await packSigned("3.1.0");
        const provenance = readFileSync(`${own}.prov`);
        await pushChart({ reference: reference("3.1.0"), archive: readFileSync(own), provenance, credentials });
        const found = await pull("3.1.0", "--verify", "--keyring", publicKeys);
        expect(readFileSync(join(found.folder, "shop-3.1.0.tgz.prov")).equals(provenance)).toBe(true);
      });
    });
  });

describeWithRegistry("versions that helm and we choose", () => {
  let registry: TestRegistry;
  let fetcher: ChartFetcher;
  const versions = ["0.9.0", "1.0.0", "1.2.0", "1.2.3-rc.1", "2.0.0+build.5", "2.1.0-alpha"];

  beforeAll(async () => {
    registry = await startTestRegistry();
    fetcher = createChartFetcher({ userAgent: "landscaper-e2e" });
    for (const version of versions) {
      await helm.tell("push", await pack(version), `oci://${registry.host}/charts`, "--plain-http");
    }
  });
  afterAll(async () => {
    await fetcher?.close();
    await registry?.stop();
  });

  async function chosenByHelm(version: string): Promise<string> {
    const target = mkdtempSync(join(folder, "chosen-"));
    const words = ["--version", version, "--destination", target, "--plain-http"];
    try {
      const { stderr } = await helm.tell("pull", `oci://${registry.host}/charts/shop`, ...words);
      return pulled.exec(stderr)?.[1]?.replace(/^.*:/, "").replace("_", "+") ?? stderr;
    } catch {
      return "none";
    }
  }

  async function chosenByUs(version: string): Promise<string> {
    const ref = `http://${registry.host}/charts/shop:${version}`;
    try {
      const found = await fetcher.fetch({ ref }, { registries: [], repositories: [], signal });
      return found.version ?? "";
    } catch (error) {
      expect(Reflect.get(Object(error), "reason")).toMatch(/^(?:ChartNotFound|RegistryNotFound)$/);
      return "none";
    }
  }

  it.each([
    ["^1.0.0", "1.2.0"],
    ["~1.2", "1.2.0"],
    ["~1.2.3-0", "1.2.3-rc.1"],
    [">=1.0.0-0", "2.1.0-alpha"],
    [">0.0.0-0", "2.1.0-alpha"],
    ["1.x", "1.2.0"],
    ["*", "2.0.0+build.5"],
    ["^2.0.0", "2.0.0+build.5"],
    ["2.0.0+build.5", "2.0.0+build.5"],
    ["=1.2.0", "1.2.0"],
    ["1.0.0 - 1.9.9", "1.2.0"],
    ["^1 || ^2", "2.0.0+build.5"],
    [">=1.0.0, <1.2.0", "1.0.0"],
    ["<1", "0.9.0"],
    ["1.2.3-rc.1", "1.2.3-rc.1"],
    // No ranges to both: tags that are not there.
    ["1", "none"],
    ["1.2", "none"],
    ["2.0.0", "none"],
    ["v1.2.0", "none"],
    ["9.9.9", "none"],
    ["9.x", "none"],
  ])("%s is %s", async (wanted, chosen) => {
    expect({ helm: await chosenByHelm(wanted), ours: await chosenByUs(wanted) }).toEqual({
      helm: chosen,
      ours: chosen,
    });
  });
});
