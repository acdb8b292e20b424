import { kubeResources, type KubeObject } from "@landscaper/api";
import { isAlreadyExists, isNotFound, type Client } from "@landscaper/controller-runtime";
import { ReleaseStore, type ReleaseDriver, type ReleaseRecord } from "@landscaper/helm-release";
import { withCluster } from "../cluster-command.ts";
import { flagOption, textOption, type CommandInput, type CommandRun } from "../command.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { InvocationError, UsageError } from "../usage-error.ts";
import { movedRecord, readHubRelease, type HubRelease } from "./hub-release.ts";
import { outsideReferences, type PodReference } from "./pod-references.ts";
import { stopCore } from "./stop-core.ts";

interface Move {
  readonly client: Client;
  readonly release: string;
  readonly from: string;
  readonly to: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

const namespaceName = /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

function readOptions(input: CommandInput): Pick<Move, "release" | "from" | "to"> {
  const release = textOption(input, "release") ?? "landscaper";
  const from = textOption(input, "from") ?? "ls-system";
  const to = textOption(input, "to") ?? "landscaper-system";
  if (!namespaceName.test(to)) {
    throw new InvocationError(`--to: expected the name of a namespace, found ${JSON.stringify(to)}`);
  }
  if (from === to) throw new InvocationError(`--to: expected another namespace than --from, found ${to} for both`);
  return { release, from, to };
}

/**
 * `landscaper hub move`: stops the core, and moves the records of its Helm release. The next `helm upgrade` compares with the moved record: it
 * creates the core in the new namespace, deletes the old objects, and leaves everything else in place. May be called again after an interruption.
 */
export const runMoveHub: CommandRun = async (input, context) => {
  const options = readOptions(input);
  const timeoutMs = parseTimeout(textOption(input, "timeout") ?? "5m");
  await withCluster(input, context, async ({ client }) => {
    const { signal, now } = context;
    const move = { client, ...options, signal, now };
    const { from, to } = options;
    const { history, driver } = await readHistory(move, from);
    const present = await readHistory(move, to);
    if (history.length === 0 && present.history.length > 0) {
      const where = `release ${options.release} is in namespace ${to} already`;
      context.write(`${where}. If its core does not run yet, upgrade the release:\n\n${upgradeLine(move)}`);
      return;
    }
    const hub = await readHubRelease(history, options);
    demandSameRelease(present.history, hub.record, to);
    const references = outsideReferences(hub.moving, hub.objects);
    context.write(describeMove(hub, move, { references, records: history.length }));
    if (!flagOption(input, "yes")) {
      context.write("nothing is done without --yes\n");
      return;
    }
    await createNamespace(move);
    for (const reference of references) await copyObject(reference, move);
    await stopCore(hub.cores, { client, namespace: from, timeoutMs, signal });
    context.write("the core has stopped\n");
    await moveRecords(history, { move, driver, hub, present: present.history });
    context.write(`the records of the release have moved\n${nextSteps(move, references)}`);
  });
};

interface History {
  readonly history: readonly ReleaseRecord[];
  /** Kind of object that holds the records; Secrets if there are none. */
  readonly driver: ReleaseDriver;
}

async function readHistory({ client, release: name, signal, now }: Move, namespace: string): Promise<History> {
  const store = new ReleaseStore({ client, namespace, name, now });
  const history = await store.history({ signal });
  const [first] = history;
  const isInConfigMaps = first !== undefined && store.referenceTo(first).kind === "ConfigMap";
  return { history, driver: isInConfigMaps ? "configmap" : "secret" };
}

/** Records in the new namespace must be what an interrupted move has left. */
function demandSameRelease(present: readonly ReleaseRecord[], { name, info }: ReleaseRecord, to: string): void {
  const other = present.find((record) => record.info.first_deployed !== info.first_deployed);
  if (other === undefined) return;
  throw new UsageError(
    `namespace ${to} contains another release ${name}. Name another namespace with --to, or uninstall that release.`,
  );
}

function describeMove(
  { chart, cores, record, hasAgent }: HubRelease,
  { release, from, to }: Move,
  { references, records }: { readonly references: readonly PodReference[]; readonly records: number },
): string {
  const names = cores.map(({ metadata }) => metadata.name).join(", ");
  return [
    `release ${release} (${chart}, revision ${record.version}) moves from ${from} to ${to}:`,
    `  the core (Deployment ${names}) stops until the next helm upgrade; deployers and agents continue`,
    ...(hasAgent ? [`  the agent and its deployers stay in ${from}`] : []),
    ...references.map(({ kind, name }) => `  ${kind} ${name} is copied to ${to}`),
    `  ${records} ${records === 1 ? "record" : "records"} of the release move to ${to}`,
    "",
  ].join("\n");
}

function upgradeLine({ release, to }: Move): string {
  return `  helm upgrade ${release} CHART --namespace ${to} --reuse-values\n`;
}

function nextSteps(move: Move, references: readonly PodReference[]): string {
  const copies = references.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  return [
    "No core runs until you upgrade the release with the charts of this version:",
    "",
    upgradeLine(move),
    ...(copies === "" ? [] : [`Then delete from ${move.from} what nothing there uses any more: ${copies}`, ""]),
  ].join("\n");
}

async function createNamespace({ client, to, signal }: Move): Promise<void> {
  if ((await client.find(kubeResources.namespace, { name: to }, { signal })) !== undefined) return;
  await client.create(
    kubeResources.namespace,
    { apiVersion: "v1", kind: "Namespace", metadata: { name: to } },
    { signal },
  );
}

/** Leaves an object alone that the new namespace already contains: the user may have prepared it. */
async function copyObject({ kind, name }: PodReference, { client, from, to, signal }: Move): Promise<void> {
  const type = kind === "Secret" ? kubeResources.secret : kubeResources.configMap;
  try {
    const { metadata, ...content } = await client.get<KubeObject>(type, { namespace: from, name }, { signal });
    const { labels } = metadata;
    const copied = { ...content, apiVersion: "v1", kind, metadata: { name, namespace: to, ...(labels && { labels }) } };
    await client.create<KubeObject>(type, copied, { signal });
  } catch (error) {
    // A reference may be optional.
    if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
  }
}

interface RecordMove extends Pick<History, "driver"> {
  readonly move: Move;
  readonly hub: HubRelease;
  /** Records that an interrupted move has created. */
  readonly present: readonly ReleaseRecord[];
}

/** Deletes records only when all of them are in the new namespace. */
async function moveRecords(
  history: readonly ReleaseRecord[],
  { move, driver, hub, present }: RecordMove,
): Promise<void> {
  const { client, release: name, from, to, signal, now } = move;
  const created = new ReleaseStore({ client, namespace: to, name, driver, now });
  for (const record of history) {
    if (present.some(({ version }) => version === record.version)) continue;
    await created.create(movedRecord(record, to, hub.keptValues), { signal });
  }
  const old = new ReleaseStore({ client, namespace: from, name, driver, now });
  for (const record of history) await old.remove(record, { signal });
}
