// All benches, with their full and smallest sizes. A bench imports its modules when it runs, so that no other bench's modules are in the measured process.
import { programAbsence } from "@landscaper/testkit";
import { chartClusterAbsence } from "../charts-node/chart-cluster.ts";
import { programsAbsence } from "../containers/container-environment.ts";
import { containerAbsence } from "../images/container.ts";
import { oracleAbsence } from "../oracles/build-oracle.ts";
import { realClusterAbsence } from "../src/clusters/real-cluster-absence.ts";
import { defineBench, resultOf, type Bench } from "./define-bench.ts";

const inFlight = { "in-flight": 32 };

export const benches: readonly Bench[] = [
  defineBench({
    name: "installations",
    summary: "creates, updates and deletes Installations beside clients that only send the same requests",
    full: { count: 200, ...inFlight },
    smallest: { count: 2, ...inFlight },
    absence: realClusterAbsence,
    run: async ({ count, "in-flight": inFlight }, { announce, isSmallest }) => {
      const { benchInstallations } = await import("./installations/installations.ts");
      const { formatInstallations } = await import("./installations/format-installations.ts");
      return resultOf(
        await benchInstallations({ count, inFlight, warmUp: !isSmallest, announce }),
        formatInstallations,
      );
    },
  }),
  defineBench({
    name: "tree",
    summary: "a tree of Installations, 1 -> 5 -> 25, with exports between siblings",
    full: { rounds: 3 },
    smallest: { rounds: 1 },
    absence: realClusterAbsence,
    run: async ({ rounds }, { announce, isSmallest }) => {
      const { benchTree } = await import("./tree/tree.ts");
      const { formatTree } = await import("./tree/format-tree.ts");
      return resultOf(
        await benchTree({ width: isSmallest ? 2 : 5, rounds, warmUp: !isSmallest, announce }),
        formatTree,
      );
    },
  }),
  defineBench({
    name: "scale",
    summary: "batches of 100 Installations in one namespace, with a restart of the services in between",
    full: { count: 5000, ...inFlight },
    smallest: { count: 2, ...inFlight },
    absence: realClusterAbsence,
    run: async ({ count, "in-flight": inFlight }, { announce }) => {
      const { benchScale } = await import("./scale/scale.ts");
      const { formatScale } = await import("./scale/format-scale.ts");
      return resultOf(await benchScale({ count, inFlight, announce }), formatScale);
    },
  }),
  defineBench({
    name: "waiting",
    summary:
      "DeployItems that wait for readiness: requests while waiting, memory, delay until the deployer notices readiness",
    full: { type: "manifest", count: 1000, ...inFlight },
    smallest: { type: "manifest", count: 4, ...inFlight },
    absence: realClusterAbsence,
    run: async ({ type, count, "in-flight": inFlight }, { announce, isSmallest }) => {
      const { benchWaiting } = await import("./waiting/waiting.ts");
      const { formatWaiting } = await import("./waiting/format-waiting.ts");
      return resultOf(await benchWaiting({ type, count, inFlight, isShort: isSmallest, announce }), formatWaiting);
    },
  }),
  defineBench({
    name: "resources",
    summary: "objects by library and manifest deployer beside kubectl apply --server-side",
    full: { count: 1000, rounds: 3 },
    smallest: { count: 8, rounds: 1 },
    absence: realClusterAbsence,
    run: async ({ count, rounds }, { announce, isSmallest }) => {
      const { benchResources } = await import("./resources/resources.ts");
      const { formatResources } = await import("./resources/format-resources.ts");
      return resultOf(await benchResources({ count, rounds, warmUp: !isSmallest, announce }), formatResources);
    },
  }),
  defineBench({
    name: "templates",
    summary: "both template languages beside the real engines (needs Go)",
    full: { rounds: 7, milliseconds: 100 },
    smallest: { rounds: 1, milliseconds: 1 },
    usesBundles: false,
    absence: () => oracleAbsence("gotemplate") ?? oracleAbsence("spiff"),
    run: async ({ rounds, milliseconds }, { announce, isSmallest }) => {
      const { benchTemplates } = await import("./templates/templates.ts");
      const { formatTemplates } = await import("./templates/format-templates.ts");
      return resultOf(await benchTemplates({ rounds, milliseconds, isShort: isSmallest, announce }), formatTemplates);
    },
  }),
  defineBench({
    name: "numbers",
    summary: "parsing and comparing manifests of 1 MB with exact integers, beside float64",
    full: { rounds: 300 },
    smallest: { rounds: 1 },
    run: async ({ rounds }) => {
      const { benchNumbers } = await import("./numbers/numbers.ts");
      const { formatNumbers } = await import("./numbers/format-numbers.ts");
      return resultOf(benchNumbers(rounds), formatNumbers);
    },
  }),
  defineBench({
    name: "events",
    summary:
      "the publisher of events at 5,000 transitions a minute: processor time, memory, requests to the API server",
    full: { count: 20_000, milliseconds: 60_000 },
    smallest: { count: 20, milliseconds: 500 },
    usesBundles: false,
    absence: () => programAbsence("nats-server"),
    run: async ({ count, milliseconds }, { announce }) => {
      const { benchEvents } = await import("./events/events.ts");
      const { formatEvents } = await import("./events/format-events.ts");
      return resultOf(await benchEvents({ count, milliseconds, announce }), formatEvents);
    },
  }),
  defineBench({
    name: "helm",
    summary: "whole charts beside Helm's engine (needs Go): warm, cold, a large one, memory",
    full: { rounds: 3, milliseconds: 20 },
    smallest: { rounds: 1, milliseconds: 1 },
    usesBundles: false,
    absence: () => oracleAbsence("helm"),
    run: async ({ rounds, milliseconds }, { announce, isSmallest }) => {
      const { benchHelm } = await import("./helm/helm.ts");
      const { formatHelm } = await import("./helm/format-helm.ts");
      return resultOf(await benchHelm({ rounds, milliseconds, isShort: isSmallest, announce }), formatHelm);
    },
  }),
  defineBench({
    name: "cli",
    summary: "starts of command and services beside an empty Node, helm template beside the real helm (needs Go)",
    full: { rounds: 5 },
    smallest: { rounds: 1 },
    absence: () => oracleAbsence("helm"),
    run: async ({ rounds }, { announce, isSmallest }) => {
      const { benchCli } = await import("./cli/cli.ts");
      const { formatCli } = await import("./cli/format-cli.ts");
      return resultOf(await benchCli({ rounds, isShort: isSmallest, announce }), formatCli);
    },
  }),
  defineBench({
    name: "neighbours",
    summary: "a healthy tenant's jobs without hostile tenants and beside them",
    full: { count: 200, rounds: 2 },
    smallest: { count: 2, rounds: 1 },
    absence: realClusterAbsence,
    run: async ({ count, rounds }, { announce, isSmallest }) => {
      const { benchNeighbours } = await import("./neighbours/neighbours.ts");
      const { formatNeighbours } = await import("./neighbours/format-neighbours.ts");
      // Two processors are not saturated at this rate. At a higher rate, both measures would mostly contain waiting for processors.
      const load = { perSecond: 2, items: isSmallest ? 12 : 500, settleMs: isSmallest ? 0 : 30_000 };
      const options = { cluster: "real", count, rounds, ...load, announce } as const;
      return resultOf(await benchNeighbours(options), formatNeighbours);
    },
  }),
  defineBench({
    name: "components",
    summary: "component versions of a registry beside a loop that only sends the requests (needs docker-registry)",
    full: { count: 200, rounds: 5 },
    smallest: { count: 2, rounds: 1 },
    usesBundles: false,
    absence: () => programAbsence("docker-registry"),
    run: async ({ count: jobs, rounds }, { announce, isSmallest }) => {
      const { benchComponents } = await import("./components/components.ts");
      const { formatComponents } = await import("./components/format-components.ts");
      return resultOf(
        await benchComponents({ size: isSmallest ? "smallest" : "full", rounds, jobs, announce }),
        formatComponents,
      );
    },
  }),
  defineBench({
    name: "images",
    summary: "size of the images, first reconcile of a container, idle memory (needs root, buildah and runc)",
    full: { rounds: 3 },
    usesImages: true,
    smallest: { rounds: 1 },
    absence: () => programAbsence("flock") ?? containerAbsence() ?? realClusterAbsence(),
    run: async ({ rounds }, { announce, isSmallest }) => {
      const { benchImages } = await import("./images/images.ts");
      const { formatImages } = await import("./images/format-images.ts");
      return resultOf(await benchImages({ rounds, isShort: isSmallest, announce }), formatImages);
    },
  }),
  defineBench({
    name: "containers",
    summary: "container items on a real node beside clients that only send the same requests; --played needs no node",
    full: { count: 50, rounds: 30, played: false },
    smallest: { count: 1, rounds: 1, played: true },
    absence: ({ played }) => (played ? undefined : programsAbsence()),
    run: async ({ count, rounds, played }, { announce }) => {
      const { benchContainers } = await import("./containers/containers.ts");
      const { formatContainers } = await import("./containers/format-containers.ts");
      const place = played ? "played" : "node";
      return resultOf(await benchContainers({ place, rounds, count, announce }), formatContainers);
    },
  }),
  defineBench({
    name: "fleet",
    summary:
      "Environments with four deployers each: heartbeats, a rollout beside clients that only send the same requests, growth",
    full: { count: 500, ...inFlight },
    smallest: { count: 2, ...inFlight },
    absence: realClusterAbsence,
    run: async ({ count, "in-flight": inFlight }, { announce, isSmallest }) => {
      const { benchFleet } = await import("./fleet/fleet.ts");
      const { formatFleet } = await import("./fleet/format-fleet.ts");
      return resultOf(await benchFleet({ count, inFlight, agents: 3, isShort: isSmallest, announce }), formatFleet);
    },
  }),
  defineBench({
    name: "agent",
    summary: "four deployers installed by the agent on a real node, beside helm install --wait of the four charts",
    full: { rounds: 3 },
    usesImages: true,
    smallest: { rounds: 1 },
    absence: () => chartClusterAbsence() ?? programAbsence("docker-registry"),
    run: async ({ rounds }, { announce, isSmallest }) => {
      const { benchAgent } = await import("./agent/agent.ts");
      const { formatAgent } = await import("./agent/format-agent.ts");
      return resultOf(await benchAgent({ rounds, warmUp: !isSmallest, announce }), formatAgent);
    },
  }),
];
