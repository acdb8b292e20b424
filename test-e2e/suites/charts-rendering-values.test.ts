// Every value that a chart takes changes what it renders, and the configuration that it writes is one that the service takes, without a field that
// has no effect; everything else is refused, and named.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  parseAgentConfiguration,
  parseContainerDeployerConfiguration,
  parseHelmDeployerConfiguration,
  parseLandscaperConfiguration,
  parseManifestDeployerConfiguration,
  parseMockDeployerConfiguration,
} from "@landscaper/api";
import {
  allCharts,
  type ChartName,
  type PackedCharts,
  packCharts,
  serviceCharts,
  stackChart,
} from "../charts/packed-charts.ts";
import {
  configurationOf,
  openChart,
  type RenderableChart,
  type Rendering,
  type Values,
} from "../charts/rendered-chart.ts";
import { objectsOf, leavesOf, readSchema, type Leaf } from "../charts/schema-leaves.ts";
import { valuesOf } from "../charts/value-samples.ts";
import { shareOfTurn, shareSteps } from "../src/runs/turns.ts";

const parsers = {
  landscaper: parseLandscaperConfiguration,
  "manifest-deployer": parseManifestDeployerConfiguration,
  "helm-deployer": parseHelmDeployerConfiguration,
  "container-deployer": parseContainerDeployerConfiguration,
  "mock-deployer": parseMockDeployerConfiguration,
  "landscaper-agent": parseAgentConfiguration,
};

const sharedNats = /^(global\.landscaper\.nats\.|nats\.secretRef\.key$)/;

/** Shared values that not every chart has a use for, and what counts only in another namespace (charts-rendering-namespaces.test.ts). */
const forOthers: Partial<Record<ChartName, RegExp>> = {
  landscaper: /^(global\.landscaper\.leaseNamespace|managementNamespace\.allowShared)$/,
  "manifest-deployer": sharedNats,
  "helm-deployer": sharedNats,
  "container-deployer": sharedNats,
  "mock-deployer": sharedNats,
  "landscaper-agent": sharedNats,
};

let charts: PackedCharts;
const opened = new Map<ChartName, RenderableChart>();
beforeAll(async () => {
  charts = packCharts();
  for (const chart of allCharts) opened.set(chart, rememberRenderings(await openChart(charts.path(chart))));
});
afterAll(() => charts.dispose());

/** Both walks over the values of a chart render the same. */
function rememberRenderings({ render }: RenderableChart): RenderableChart {
  const known = new Map<string, Rendering>();
  return {
    render: (values = {}) => {
      const key = JSON.stringify(values);
      const rendering = known.get(key) ?? render(values);
      known.set(key, rendering);
      return rendering;
    },
  };
}

function open(chart: ChartName): RenderableChart {
  const found = opened.get(chart);
  if (found === undefined) throw new Error(`${chart} is not packed`);
  return found;
}

/** What is not as the test says, by the path of the value. */
function problemsOf(chart: ChartName, judge: (leaf: Leaf) => string | undefined): string[] {
  const leaves = leavesOf(readSchema(charts.path(chart))).filter(({ path }) => path[0] !== "common");
  expect(leaves.length).toBeGreaterThan(20);
  return leaves.flatMap((leaf) => {
    const problem = judge(leaf);
    return problem === undefined ? [] : [`${leaf.path.join(".")}: ${problem}`];
  });
}

function failureOf(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** `misspelt` in the object at a path. */
function misspeltAt(path: readonly string[]): Values {
  const value = path.reduceRight<unknown>((inner, step) => (step === "[]" ? [inner] : { [step]: inner }), {
    misspelt: 1,
  });
  return value as Values; // paths begin with a field
}

// Two runs of `npm test` one after the other have walked over all charts.
const { first, step } = shareOfTurn(process.env["E2E_TURN"], { step: shareSteps.chartValues, shift: 0 });
const walked = serviceCharts.filter((_, index) => index % step === first - 1);

describe.each(walked)("the chart %s", (chart) => {
  it("renders something else with each value of its schema", () => {
    const { render } = open(chart);
    const isForOthers = (path: readonly string[]): boolean => forOthers[chart]?.test(path.join(".")) ?? false;
    const problems = problemsOf(chart, (leaf) => {
      if (isForOthers(leaf.path)) return undefined;
      const { before, after } = valuesOf(leaf);
      return render(before).text === render(after).text ? `no effect with ${JSON.stringify(after)}` : undefined;
    });
    expect(problems).toEqual([]);
  });

  it("writes a configuration that the service takes, without a field that is unknown or has no effect", () => {
    const { render } = open(chart);
    const parse = parsers[chart];
    const problems = problemsOf(chart, (leaf) => {
      const configuration = configurationOf(render(valuesOf(leaf).after));
      const failure = failureOf(() => parse(configuration, "config.yaml"));
      const ignored = parse.findIgnored(configuration).map(({ path, why }) => `${path} ${why ?? "is unknown"}`);
      return failure === "" && ignored.length === 0 ? undefined : [failure, ...ignored].join("; ");
    });
    expect(problems).toEqual([]);
  });
});

/** Globals belong to all charts, except those below `global.landscaper`; the library has nothing else. */
const isOpen = (path: readonly string[]): boolean => ["global", "common.global"].includes(path.join("."));

describe.each(allCharts)("the schema of %s", (chart) => {
  it("names a misspelt value wherever it stands", () => {
    const { render } = open(chart);
    const objects = objectsOf(readSchema(charts.path(chart))).filter((path) => !isOpen(path));
    expect(objects.length).toBeGreaterThan(10);
    const unnamed = objects.filter((path) => !failureOf(() => render(misspeltAt(path))).includes("misspelt"));
    expect(unnamed.map((path) => path.join("."))).toEqual([]);
  });

  it("describes each value", () => {
    const undescribed = problemsOf(chart, ({ schema }) =>
      typeof schema["description"] === "string" && schema["description"].endsWith(".") ? undefined : "no description",
    );
    expect(undescribed.filter((each) => !/^[\w.-]+\[\]|\.\[\]/.test(each))).toEqual([]);
  });
});

describe("the stack", () => {
  it("renders something else with each shared value and each switch", () => {
    const { render } = open(stackChart);
    const isPart = (path: readonly string[]): boolean => serviceCharts.some((name) => name === path[0]);
    const problems = problemsOf(stackChart, (leaf) => {
      const { before, after } = valuesOf(leaf);
      if (isPart(leaf.path)) return undefined;
      return render(before).text === render(after).text ? `no effect with ${JSON.stringify(after)}` : undefined;
    });
    expect(problems).toEqual([]);
  });

  it("hands values on to the chart of a service, whose schema names what it does not know", () => {
    const { render } = open(stackChart);
    expect(
      render({ "helm-deployer": { replicaCount: 3 } }).find("Deployment", "ls-helm-deployer")["spec"],
    ).toMatchObject({
      replicas: 3,
    });
    expect(failureOf(() => render({ "helm-deployer": { replicas: 3 } }))).toContain(
      "helm-deployer:\n- at '': additional properties 'replicas' not allowed",
    );
  });
});
