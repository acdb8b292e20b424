// Benchmarks beside the real things. usage: npm run bench -- installations|tree|scale|waiting|resources|templates|helm|cli|neighbours|components|images|containers|fleet|agent [--json]
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchAgent } from "./agent/agent.ts";
import { formatAgent } from "./agent/format-agent.ts";
import { benchCli } from "./cli/cli.ts";
import { benchComponents } from "./components/components.ts";
import { formatComponents } from "./components/format-components.ts";
import { benchContainers } from "./containers/containers.ts";
import { formatContainers } from "./containers/format-containers.ts";
import { formatCli } from "./cli/format-cli.ts";
import { formatInstallations } from "./format-report.ts";
import { formatHelm } from "./helm/format-helm.ts";
import { formatNeighbours } from "./neighbours/format-neighbours.ts";
import { formatResources } from "./resources/format-resources.ts";
import { formatScale } from "./scale/format-scale.ts";
import { formatTree } from "./tree/format-tree.ts";
import { formatTemplates } from "./templates/format-templates.ts";
import { formatWaiting } from "./waiting/format-waiting.ts";
import { benchFleet } from "./fleet/fleet.ts";
import { formatFleet } from "./fleet/format-fleet.ts";
import { benchHelm } from "./helm/helm.ts";
import { formatImages } from "./images/format-images.ts";
import { benchImages } from "./images/images.ts";
import { benchInstallations } from "./installations/installations.ts";
import { benchNeighbours } from "./neighbours/neighbours.ts";
import { benchResources } from "./resources/resources.ts";
import { benchScale } from "./scale/scale.ts";
import { benchTemplates } from "./templates/templates.ts";
import { benchTree } from "./tree/tree.ts";
import { benchWaiting } from "./waiting/waiting.ts";

const usage = `usage: npm run bench -- installations [--count N] [--in-flight N] [--json]
       npm run bench -- tree [--rounds N] [--json]
       npm run bench -- scale [--count N] [--in-flight N] [--json]
       npm run bench -- waiting [--type manifest|helm] [--count N] [--in-flight N] [--json]
       npm run bench -- resources [--count N] [--rounds N] [--json]
       npm run bench -- templates [--rounds N] [--milliseconds N] [--json]
       npm run bench -- helm [--rounds N] [--milliseconds N] [--json]
       npm run bench -- cli [--rounds N] [--json]
       npm run bench -- neighbours [--count N] [--rounds N] [--json]
       npm run bench -- components [--count N] [--rounds N] [--json]
       npm run bench -- images [--rounds N] [--json]
       npm run bench -- containers [--count N] [--rounds N] [--played] [--json]
       npm run bench -- fleet [--count N] [--in-flight N] [--json]
       npm run bench -- agent [--rounds N] [--json]`;
const { values, positionals } = parseArgs({
  options: {
    count: { type: "string" },
    "in-flight": { type: "string", default: "32" },
    rounds: { type: "string" },
    type: { type: "string", default: "manifest" },
    milliseconds: { type: "string" },
    played: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

function refuse(): never {
  console.error(usage);
  process.exit(2);
}

function numberOf(name: "count" | "in-flight" | "rounds" | "milliseconds", fallback?: number): number {
  const value = Number(values[name] ?? fallback);
  return Number.isInteger(value) && value >= 1 ? value : refuse();
}

const announce = (line: string): void => console.error(line);

function buildServices(): void {
  const cwd = join(import.meta.dirname, "../..");
  const built = spawnSync(process.execPath, ["scripts/build.ts"], { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (built.status !== 0) process.exit(1);
}

async function installations(): Promise<void> {
  const count = numberOf("count", 200);
  const inFlight = numberOf("in-flight");
  buildServices();
  const benchmark = await benchInstallations({ count, inFlight, announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatInstallations(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function tree(): Promise<void> {
  const rounds = numberOf("rounds", 3);
  buildServices();
  const benchmark = await benchTree({ rounds, announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatTree(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function scale(): Promise<void> {
  const count = numberOf("count", 5000);
  const inFlight = numberOf("in-flight");
  buildServices();
  const benchmark = await benchScale({ count, inFlight, announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatScale(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function waiting(): Promise<void> {
  const { type } = values;
  if (type !== "manifest" && type !== "helm") refuse();
  const count = numberOf("count", 1000);
  const inFlight = numberOf("in-flight");
  buildServices();
  const benchmark = await benchWaiting({ type, count, inFlight, announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatWaiting(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function resources(): Promise<void> {
  const count = numberOf("count", 1000);
  const rounds = numberOf("rounds", 3);
  buildServices();
  const benchmark = await benchResources({ count, rounds, announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatResources(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function templates(): Promise<void> {
  const benchmark = await benchTemplates({
    rounds: numberOf("rounds", 7),
    milliseconds: numberOf("milliseconds", 100),
    announce,
  });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatTemplates(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function helm(): Promise<void> {
  const benchmark = await benchHelm({
    rounds: numberOf("rounds", 3),
    milliseconds: numberOf("milliseconds", 20),
    announce,
  });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatHelm(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function cli(): Promise<void> {
  const rounds = numberOf("rounds", 5);
  buildServices();
  const benchmark = await benchCli({ rounds, announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatCli(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function neighbours(): Promise<void> {
  // Two processors have time left at this rate: with more, waiting for them is all that is measured, with neighbours and without.
  const perSecond = 2;
  const count = numberOf("count", 200);
  const rounds = numberOf("rounds", 2);
  buildServices();
  const benchmark = await benchNeighbours({ cluster: "real", count, rounds, perSecond, items: 500, announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatNeighbours(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function components(): Promise<void> {
  const benchmark = await benchComponents({ rounds: numberOf("rounds", 5), jobs: numberOf("count", 200), announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatComponents(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function images(): Promise<void> {
  const benchmark = await benchImages({ rounds: numberOf("rounds", 3), announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatImages(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function containers(): Promise<void> {
  buildServices();
  const benchmark = await benchContainers({
    place: values.played ? "played" : "node",
    rounds: numberOf("rounds", 30),
    count: numberOf("count", 50),
    announce,
  });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatContainers(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function fleet(): Promise<void> {
  const count = numberOf("count", 1000);
  const inFlight = numberOf("in-flight");
  buildServices();
  const benchmark = await benchFleet({ count, inFlight, announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatFleet(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

async function agent(): Promise<void> {
  const benchmark = await benchAgent({ rounds: numberOf("rounds", 3), announce });
  console.log(values.json ? JSON.stringify(benchmark, undefined, 2) : formatAgent(benchmark));
  if (benchmark.misses.length > 0) process.exitCode = 1;
}

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  installations,
  tree,
  scale,
  waiting,
  resources,
  templates,
  helm,
  cli,
  neighbours,
  components,
  images,
  containers,
  fleet,
  agent,
};
const [name = "", ...rest] = positionals;
const run = Object.hasOwn(benchmarks, name) && rest.length === 0 ? benchmarks[name] : undefined;
if (run === undefined) refuse();
await run();
