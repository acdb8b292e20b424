// Blueprints that take all that they can get, beside those of another tenant.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources, type UnstructuredObject } from "@landscaper/api";
import { leasedServices, startLeasedServices, type Watched } from "../../hostile/leased-services.ts";
import { startEnvironment, type Environment } from "../../src/services/environment.ts";
import {
  dataObject,
  dataParameter,
  goTemplate,
  inlineInstallation,
  spiff,
} from "../../src/installations/inline-installation.ts";
import { clustersUnderTest, isWholeRun } from "../../src/clusters/selected-clusters.ts";

const timeoutSeconds = 1;

const services = ["landscaper-core"] as const;
const configs = {
  ...leasedServices.configs,
  "landscaper-core": {
    apiVersion: "config.landscaper.gardener.cloud/v1alpha1",
    kind: "LandscaperConfiguration",
    rendering: { timeoutSeconds, memoryMiB: 192 },
  },
};

/** Each level refers to the one before twice: 2^levels schemas in the end. */
function schemaBomb(levels: number): Record<string, unknown> {
  const types = Array.from({ length: levels }, (_, level) => [
    `t${level + 1}`,
    { type: "object", properties: { a: { $ref: `local://t${level}` }, b: { $ref: `local://t${level}` } } },
  ]);
  return { localTypes: Object.fromEntries([["t0", { type: "string" }], ...types]) };
}

interface Attack {
  readonly name: string;
  /** Also when not everything is run. */
  readonly isShort?: boolean;
  readonly blueprint: Readonly<Record<string, unknown>>;
  readonly imports?: readonly UnstructuredObject[];
}

const value = (name: string, schema: Readonly<Record<string, unknown>> = {}) => dataParameter(name, schema);
const many = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, i) => i));

/** What the message begins with. */
function placeOf(blueprint: Attack["blueprint"]): string {
  return blueprint["deployExecutions"] === undefined ? "imports.in" : 'deploy template execution "default"';
}

const allAttacks: readonly Attack[] = [
  {
    name: "loops",
    blueprint: {
      deployExecutions: goTemplate(
        "{{ range until 4000 }}{{ range until 4000 }}{{ $x := sha256sum (repeat 1000 `x`) }}{{ end }}{{ end }}",
      ),
    },
  },
  {
    name: "memory",
    isShort: true,
    blueprint: {
      deployExecutions: goTemplate(
        "{{ $d := dict }}{{ range $i := until 4000 }}{{ $_ := set $d (toString $i) (until 400000) }}{{ end }}",
      ),
    },
  },
  {
    name: "output",
    blueprint: { deployExecutions: goTemplate("{{ range until 4000 }}{{ repeat 100000 `x` }}{{ end }}") },
  },
  {
    name: "references",
    isShort: true,
    blueprint: { ...schemaBomb(22), imports: [value("in", { $ref: "local://t22" })] },
  },
  {
    name: "keys",
    isShort: true,
    blueprint: {
      deployExecutions: goTemplate('{{ range until 4000 }}{{ $k := genPrivateKey "rsa" }}{{ end }}'),
    },
  },
  {
    name: "yaml",
    blueprint: {
      imports: [value("in")],
      deployExecutions: goTemplate("{{ range until 4000 }}{{ $x := fromYaml (toYaml $.imports.in) }}{{ end }}"),
    },
    imports: [dataObject("in", { list: JSON.parse(many(100_000)) })],
  },
  {
    name: "mapping",
    blueprint: { deployExecutions: spiff({ deployItems: "(( sum[[1..100000]|0|s,i|-> s + length([1..1000])] ))" }) },
  },
];

const attacks = allAttacks.filter(({ isShort }) => isShort === true || isWholeRun("hostile"));

function attackInstallation({ name, blueprint, imports = [] }: Attack): UnstructuredObject {
  const data = imports.map(({ metadata }) => ({ name: "in", dataRef: metadata.name }));
  const given = blueprint["imports"] === undefined || data.length > 0 ? data : [{ name: "in", dataRef: "in" }];
  return inlineInstallation({ name, blueprint, imports: { data: given } });
}

const healthy = (name: string): UnstructuredObject =>
  inlineInstallation({
    name,
    blueprint: { exports: [value("out")], exportExecutions: goTemplate("exports: { out: fine }") },
    exports: { data: [{ name: "out", dataRef: name }] },
  });

describe.each(clustersUnderTest())("blueprints at all limits on %s", (cluster) => {
  let environment: Environment;
  let watched: Watched;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, ...leasedServices, services, configs });
    watched = await startLeasedServices(environment);
  });
  afterAll(async () => environment.stop());

  it("fail once, while others go on, and are not repeated after a restart", async () => {
    // That of loading the code, before the core serves anybody.
    const [{ longestTurnMs: ofStart = 0 } = {}] = await watched.read();
    const hostile = await environment.namespace("hostile");
    const other = await environment.namespace("healthy");
    await hostile.apply(dataObject("in", "text"));
    for (const attack of attacks) {
      const [given] = attack.imports ?? [];
      const own = given === undefined ? [] : [{ ...given, metadata: { name: `in-${attack.name}` } }];
      await hostile.apply(...own, attackInstallation({ ...attack, imports: own }));
    }
    for (const name of ["first", "second", "third"]) {
      await other.apply(healthy(name));
      await other.waitForPhase(name, "Succeeded");
    }
    const ends: [string, string, string][] = [];
    for (const { name } of attacks) {
      const { status } = await hostile.waitForPhase(name, "Failed");
      ends.push([name, status?.jobIDFinished ?? "", status?.lastError?.message ?? ""]);
    }
    expect(ends.map(([name, , message]) => [name, message.split(/: |\n/)[0]?.replace("schema of ", "")])).toEqual(
      attacks.map(({ name, blueprint }) => [name, placeOf(blueprint)]),
    );
    expect(await watched.findDisturbances()).toEqual([]);
    const [core] = await watched.read();
    expect(core?.longestTurnMs).toBeLessThan(Math.max(100, ofStart + 1));

    const service = environment.service("landscaper-core");
    // The Lease of a killed one has to expire first.
    await (isWholeRun("hostile") ? service.kill() : service.stop());
    await service.start();
    await other.apply(healthy("after"));
    await other.waitForPhase("after", "Succeeded");
    const after = await hostile.list(resources.installation);
    expect(
      ends.map(([name]) => [name, after.find(({ metadata }) => metadata.name === name)?.status?.jobIDFinished]),
    ).toEqual(ends.map(([name, job]) => [name, job]));
  }, 240_000);
});
