// The charts under the real helm: it lints them, packs nothing else than we do, and prints the same as our own command. What it refuses is named.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { productVersion } from "@landscaper/api";
import { describeUnless } from "@landscaper/testkit";
import { stringify } from "yaml";
import { allCharts, type ChartName, type PackedCharts, packCharts } from "../charts/packed-charts.ts";
import type { Values } from "../charts/rendered-chart.ts";
import { sampleInstallations } from "../charts/sample-landscapes.ts";
import { buildOracle, oracleAbsence } from "../oracles/build-oracle.ts";

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

let charts: PackedCharts;
beforeAll(() => {
  charts = packCharts();
});
afterAll(() => charts.dispose());

async function run(program: string, words: readonly string[]): Promise<Ended> {
  const env = { PATH: process.env["PATH"], HOME: charts.folder };
  return await new Promise((resolve) => {
    execFile(program, words, { env, cwd: charts.folder, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ stdout, stderr, status: error === null ? 0 : Number(Reflect.get(error, "code")) });
    });
  });
}

const realHelm = async (...words: readonly string[]): Promise<Ended> =>
  await run(join(buildOracle("helm").folder, "helm"), words);
const ourHelm = async (...words: readonly string[]): Promise<Ended> =>
  await run(join(import.meta.dirname, "../../bin/landscaper"), ["helm", ...words]);

/** Words of `helm template` of a chart, or of its packed file. */
function templateWords(title: string, chart: string, values: Values): string[] {
  const file = join(charts.folder, `${title.replaceAll(" ", "-")}.yaml`);
  writeFileSync(file, stringify(values));
  return ["template", "ls", chart, "-n", "landscaper-system", "-f", file];
}

const packed = (chart: ChartName): string => join(charts.folder, `${chart}-${productVersion}.tgz`);

describeUnless(oracleAbsence("helm"), describe)("the real helm", () => {
  it.each(allCharts)("lints %s without a warning", async (chart) => {
    const { status, stdout } = await realHelm("lint", "--strict", charts.path(chart));
    const lines = stdout.split("\n").filter((line) => line.startsWith("["));
    expect({ status, lines }).toEqual({ status: 0, lines: ["[INFO] Chart.yaml: icon is recommended"] });
  });

  it.each(sampleInstallations)(
    "prints for $title what our command prints, of the folder and of the packed file",
    async (sample) => {
      const { title, chart, values } = sample;
      const words = templateWords(title, charts.path(chart), values);
      const [real, ours, ofPacked] = await Promise.all([
        realHelm(...words),
        ourHelm(...words),
        ourHelm(...templateWords(title, packed(chart), values)),
      ]);
      expect({ status: real.status, stderr: real.stderr }).toEqual({ status: 0, stderr: "" });
      expect(ours).toEqual(real);
      expect(ofPacked).toEqual(real);
    },
  );

  it.each<[string, ChartName, Values, string]>([
    ["a misspelt value", "helm-deployer", { replicas: 2 }, "- at '': additional properties 'replicas' not allowed"],
    [
      "a misspelt field of the configuration",
      "landscaper",
      { landscaper: { egress: { profil: "hardened" } } },
      "- at '/landscaper/egress': additional properties 'profil' not allowed",
    ],
    [
      "a field of the original's charts that has no place here",
      "helm-deployer",
      { deployer: { hpa: { maxReplicas: 2 } } },
      "- at '/deployer': additional properties 'hpa' not allowed",
    ],
    [
      "a number in place of a list",
      "manifest-deployer",
      { deployer: { targetSelector: 1 } },
      "- at '/deployer/targetSelector': got number, want array",
    ],
    [
      "a policy that does not exist",
      "landscaper",
      { landscaper: { signatureVerificationEnforcementPolicy: "Sometimes" } },
      "- at '/landscaper/signatureVerificationEnforcementPolicy': value must be one of 'Enforce', 'DoNotEnforce', 'Disabled'",
    ],
    [
      "a misspelt shared value",
      "landscaper-stack",
      { global: { landscaper: { imagePrefix: "x" } } },
      "- at '/global/landscaper': additional properties 'imagePrefix' not allowed",
    ],
    [
      "two sources of a kubeconfig",
      "mock-deployer",
      { deployer: { landscaperClusterKubeconfig: { secretRef: "a", kubeconfig: "b" } } },
      "deployer.landscaperClusterKubeconfig: set secretRef or kubeconfig, not both",
    ],
    [
      "two sources of a NATS URL",
      "landscaper",
      { nats: { url: "nats://a", secretRef: "b" } },
      "nats: set url or secretRef, not both",
    ],
    [
      "credentials in a URL of NATS",
      "landscaper",
      { nats: { url: "nats://me:s3cret@nats" } },
      "nats.url: expected a URL without credentials, which belong into a Secret: use nats.secretRef",
    ],
    [
      "rights for the default account of the namespace",
      "mock-deployer",
      { serviceAccount: { create: false } },
      "serviceAccount.name: expected the name of an account, because serviceAccount.create is false",
    ],
    [
      "fewer pods at most than at least",
      "mock-deployer",
      { replicaCount: 3, hpa: { maxReplicas: 2 } },
      "hpa.maxReplicas: expected at least replicaCount (3), found 2",
    ],
  ])("refuses %s, as our command does, and names it", async (title, chart, ...[values, message]) => {
    const words = templateWords(title, charts.path(chart), values);
    const [real, ours] = await Promise.all([realHelm(...words), ourHelm(...words)]);
    expect(real.stderr).toContain(message);
    expect(ours.stderr).toContain(message);
    expect([real.status, ours.status]).toEqual([1, 1]);
    expect(real.stderr + ours.stderr).not.toContain("s3cret");
  });

  it("refuses a cluster that is too old", async () => {
    const { status, stderr } = await realHelm("template", "ls", charts.path("landscaper"), "--kube-version", "1.29.9");
    expect(status).toBe(1);
    expect(stderr).toContain(
      "Error: chart requires kubeVersion: >=1.30.0-0 which is incompatible with Kubernetes v1.29.9\n",
    );
  });
});

describe("npm run charts", () => {
  it("packs the same bytes each time", () => {
    const again = packCharts();
    for (const chart of allCharts) {
      const file = `${chart}-${productVersion}.tgz`;
      expect(readFileSync(join(again.folder, file)).equals(readFileSync(join(charts.folder, file)))).toBe(true);
    }
    again.dispose();
  });
});
