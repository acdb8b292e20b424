// A version of the real helm and an item with the same `helmVersion`, which deploy one chart: what they leave can be compared.
import { gunzipSync } from "node:zlib";
import { kubeResources, type ResourceType, type UnstructuredObject } from "@landscaper/api";
import type { DeployerFixture, DeployerScope } from "@landscaper/deployer/testing";
import type { HelmVersion } from "@landscaper/helm";
import { helmSpec } from "@landscaper/helm-deployer-lib/testing";
import { createRealHelm, type RealHelm } from "./real-helm.ts";

/** A version of Helm, and how it writes objects. */
export interface Variant {
  readonly version: HelmVersion;
  readonly method: "csa" | "ssa";
}

export type Values = Readonly<Record<string, string | boolean>>;

/** Fields of `helmDeploymentConfig` for both phases, and the flags with the same meaning. */
export interface Phase {
  readonly options?: object;
  readonly flags?: readonly string[];
}

/** Deploys the release "app" in a namespace of its own. */
export interface ReleasePlayer {
  readonly namespace: string;
  /** The real helm, to read the release. */
  readonly helm: RealHelm;
  /** Installs or upgrades. Returns the error. */
  deploy(values: Values, phase?: Phase): Promise<string | undefined>;
  uninstall(): Promise<void>;
}

export interface PlayerOptions {
  readonly fixture: DeployerFixture;
  readonly namespace: string;
  /** The chart as a folder, and as `chart` of an item. */
  readonly chart: { readonly path: string; readonly packed: object };
  readonly variant: Variant;
}

export type Who = "real" | "item";

export async function createPlayer(who: Who, options: PlayerOptions): Promise<ReleasePlayer & Disposable> {
  const { fixture, namespace, variant } = options;
  const scope = await fixture.scope(namespace);
  const helm = createRealHelm(fixture.target.kubeconfig, namespace, { version: variant.version });
  const actions = who === "real" ? realActions(helm, options) : await itemActions(scope, options);
  return { ...actions, namespace, helm, [Symbol.dispose]: () => helm.dispose() };
}

type Actions = Pick<ReleasePlayer, "deploy" | "uninstall">;

function realActions(helm: RealHelm, { chart, variant: { version, method } }: PlayerOptions): Actions {
  // Helm 3 has no such flag.
  const methodFlags = version === "3" ? [] : [`--server-side=${method === "ssa"}`];
  return {
    async deploy(values, { flags = [] } = {}) {
      const set = Object.entries(values).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
      const args = ["upgrade", "--install", "--reset-values", "app", chart.path, ...set, ...methodFlags, ...flags];
      return await helm.run(...args).then(() => undefined, String);
    },
    uninstall: async () => void (await helm.run("uninstall", "app", "--wait")),
  };
}

async function itemActions(scope: DeployerScope, { chart, variant }: PlayerOptions): Promise<Actions> {
  await scope.createTarget();
  const common = {
    chart: chart.packed,
    updateStrategy: variant.method === "ssa" ? "apply" : "update",
    helmVersion: variant.version,
    readinessChecks: { disableDefault: true },
  };
  let exists = false;
  return {
    async deploy(values, { options = {} } = {}) {
      const helmDeploymentConfig = { install: options, upgrade: options };
      const spec = helmSpec(scope.namespace, { ...common, values, helmDeploymentConfig });
      if (exists) await scope.trigger("item", spec);
      else await scope.create({ name: "item", spec });
      exists = true;
      const { status } = await scope.waitForEnd("item");
      return status?.phase === "Succeeded" ? undefined : (status?.lastError?.message ?? "no error");
    },
    async uninstall() {
      await scope.remove("item");
      await scope.waitUntilGone("item");
    },
  };
}

export interface Write {
  readonly verb: "write" | "delete";
  readonly resource: string;
  /** Of creations without server-side apply, "". */
  readonly name: string;
}

/** Collects writes on the target cluster in their order, without those of Secrets. `take` returns those since its last call. */
export function watchWrites({ target }: DeployerFixture): { readonly take: () => readonly Write[] } {
  let writes: Write[] = [];
  target.setFault(({ verb, resource, name, subresource }) => {
    if (["create", "update", "patch", "delete"].includes(verb) && subresource === "" && !unseen.has(resource)) {
      writes.push({ verb: verb === "delete" ? "delete" : "write", resource, name });
    }
    return undefined;
  });
  return {
    take() {
      const taken = writes;
      writes = [];
      return taken;
    },
  };
}

const unseen: ReadonlySet<string> = new Set(["leases", "events", "secrets", "namespaces"]);

/** What differs between any two revisions, and intended differences. */
const omitted: ReadonlySet<string> = new Set([
  "first_deployed",
  "last_deployed",
  "deleted",
  "started_at",
  "completed_at",
  // Times of the files of a chart, which items leave out.
  "modtime",
  "schemamodtime",
]);

interface StoredHook {
  readonly name: string;
  readonly weight?: number;
  readonly last_run: { readonly started_at: string; readonly phase: string };
}

interface StoredRecord {
  readonly version: number;
  readonly info: { readonly status: string };
  readonly hooks?: readonly StoredHook[];
}

/** A record as the real helm reads it, without times and namespace. Items write `apply_method` for Helm 3 as well, which writes none. */
export interface ComparableRecord extends StoredRecord {
  /** Names of the hooks that have run, in the order of their starts. */
  readonly ran: readonly string[];
}

/** Returns the records of the release, the oldest first. */
export async function readRecords({ targetClient }: DeployerFixture, namespace: string): Promise<ComparableRecord[]> {
  const { items } = await targetClient.list(kubeResources.secret, { namespace, labelSelector: "owner=helm" });
  const records = items.map(({ data }) => {
    const packed = Buffer.from(Buffer.from(data?.["release"] ?? "", "base64").toString(), "base64");
    const text = gunzipSync(packed).toString().replaceAll(namespace, "NAMESPACE");
    const withoutTimes = (key: string, value: unknown) => (omitted.has(key) ? undefined : value);
    const ran = orderOf((JSON.parse(text) as StoredRecord).hooks ?? []);
    return { apply_method: "csa", ...(JSON.parse(text, withoutTimes) as StoredRecord), ran };
  });
  return records.toSorted((a, b) => a.version - b.version);
}

function orderOf(hooks: readonly StoredHook[]): string[] {
  const weightOf = ({ weight = 0 }: StoredHook): number => weight;
  const startOf = ({ last_run: { started_at: start } }: StoredHook): number => Date.parse(start);
  return hooks
    .filter(({ last_run: { phase } }) => phase === "Succeeded")
    .toSorted((a, b) => startOf(a) - startOf(b) || weightOf(a) - weightOf(b))
    .map(({ name }) => name);
}

/** Returns the objects of some kinds without what the API server generates. `namespace` is that of the release. */
export async function readObjects(
  { targetClient }: DeployerFixture,
  types: readonly ResourceType<UnstructuredObject>[],
  namespace: string,
): Promise<unknown[]> {
  const lists = await Promise.all(
    types.map(async (type) => targetClient.list(type, type.namespaced ? { namespace } : {})),
  );
  return lists
    .flatMap(({ items }) => items)
    .filter(({ metadata, type }) => metadata.name !== "kube-root-ca.crt" && type !== "helm.sh/release.v1")
    .map((object) => JSON.parse(JSON.stringify(comparable(object)).replaceAll(namespace, "NAMESPACE")) as unknown);
}

function comparable({ metadata, ...object }: UnstructuredObject): unknown {
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _time,
    generation: _generation,
    ...others
  } = metadata;
  const { managedFields = [], ...named } = others as { managedFields?: readonly { readonly time?: string }[] };
  // Intended differences: items never apply hooks on the server, and give Secrets `data` for the `stringData` of the chart.
  const isOtherwise = object.kind === "Secret" || metadata.annotations?.["helm.sh/hook"] !== undefined;
  const managers = isOtherwise ? [] : managedFields.map(({ time: _written, ...entry }) => entry);
  return { ...object, metadata: { ...named, managedFields: managers } };
}
