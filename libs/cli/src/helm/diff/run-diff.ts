import { decodeUtf8 } from "@landscaper/golang";
import {
  formatManifests,
  processDependencies,
  type Chart,
  type HelmDialect,
  type RenderedChart,
} from "@landscaper/helm";
import {
  compareRevisions,
  currentRevision,
  decideRelease,
  emptyRevision,
  parseCrdFiles,
  previewRevision,
  readCapabilities,
  ReleaseStore,
  helmVersionOf,
  type ReleaseRecord,
} from "@landscaper/helm-release";
import { isJsonObject } from "@landscaper/resources";
import type { CommandContext } from "../../command.ts";
import type { ParsedFlags } from "../../flags/parse-flags.ts";
import { CommandExit, UsageError } from "../../usage-error.ts";
import { givenValues } from "../chart-values.ts";
import { checkedValues } from "../checked-values.ts";
import { readDiffRequest, type DiffRequest } from "./diff-flags.ts";
import {
  formatReleaseDiff,
  formatReleaseDiffJson,
  hasDifferences,
  type ReleaseDiff,
  type RevisionName,
} from "./format-release-diff.ts";
import { loadBehaviour, type HelmBehaviour } from "../helm-behaviour.ts";
import { HelmFailure } from "../helm-failure.ts";
import { helmFlag } from "../helm-flag.ts";
import { withHelmCluster, type HelmCluster } from "../helm-cluster.ts";
import { installableChart, locateChart } from "../charts/locate-chart.ts";
import { releaseNameProblem } from "../release-name.ts";
import { releaseNamespace } from "../release-namespace.ts";
import { renderRelease } from "../render-release.ts";
import { upgradeInput } from "./upgrade-values.ts";

interface DiffContext {
  readonly parsed: ParsedFlags;
  readonly context: CommandContext;
  readonly access: HelmCluster;
  readonly namespace: string;
  /** Readable revisions, the oldest first. */
  readonly history: readonly ReleaseRecord[];
}

/**
 * Does what `landscaper helm diff` does: compares an installed release with what an upgrade would make of it, or two of its revisions. Nothing on
 * the cluster changes. Throws CommandExit with code 1 for differences that were asked for, HelmFailure, InvocationError and LandscaperError.
 */
export async function runDiff(parsed: ParsedFlags, context: CommandContext): Promise<void> {
  const request = readDiffRequest(parsed);
  const nameProblem = releaseNameProblem(request.release);
  if (nameProblem !== undefined) throw new HelmFailure(nameProblem);
  const namespace = releaseNamespace(parsed, context);
  await withHelmCluster(parsed, context, async (access) => {
    const { client } = access;
    const store = new ReleaseStore({ client, namespace, name: request.release, now: context.now });
    const { signal } = context;
    const history = (await store.history({ signal })).filter(({ unreadable }) => unreadable === undefined);
    const diffContext = { parsed, context, access, namespace, history };
    const diff =
      request.type === "revisions"
        ? await diffRevisions(request, diffContext)
        : await diffUpgrade(request, diffContext);
    if (request.output === "json") context.writeJson(formatReleaseDiffJson(diff));
    else context.write(formatReleaseDiff(diff));
    if (parsed.isSet("exit-code") && hasDifferences(diff)) throw new CommandExit(1);
  });
}

async function diffRevisions(
  { release, from, to }: DiffRequest & { type: "revisions" },
  diffContext: DiffContext,
): Promise<ReleaseDiff> {
  const { access, context, namespace, history } = diffContext;
  const before = revisionOf(from, release, diffContext);
  const newest = history.at(-1) ?? before;
  const after = to === undefined ? newest : revisionOf(to, release, diffContext);
  const compared = await compareRevisions(before, after, { ...access, namespace, signal: context.signal });
  return {
    release,
    namespace,
    from: nameOf(before),
    to: nameOf(after),
    isLive: false,
    events: [],
    helmVersion: undefined,
    ...compared,
  };
}

async function diffUpgrade(request: DiffRequest & { type: "upgrade" }, diffContext: DiffContext): Promise<ReleaseDiff> {
  const { release, from, isLive } = request;
  const { parsed, context, access, namespace, history } = diffContext;
  const { signal } = context;
  const deployed = installedRevision(history);
  const record = from === undefined ? deployed : revisionOf(from, release, diffContext);
  if (record === undefined && !parsed.isSet("install")) throw missingRelease(release, namespace);
  const { chart, rendered, dialect } = await renderNext(request, { ...diffContext, record: deployed });
  const manifest = formatManifests(rendered);
  const before = record ?? emptyRevision;
  const compared = await compareRevisions(
    before,
    { manifest, hooks: rendered.hooks },
    { ...access, namespace, signal },
  );
  const mayTake = (): boolean => parsed.isSet("take-ownership");
  const name = { name: release, namespace };
  const crds = await parseCrdFiles(rendered.crds.map(({ data }) => decodeUtf8(data)));
  const live = isLive
    ? await previewRevision({ ...access, release: name, manifest, record: deployed, crds, mayTake, signal })
    : undefined;
  return {
    release,
    namespace,
    from: record === undefined ? undefined : nameOf(record),
    to: { revision: undefined, chart: `${chart.metadata.name}-${chart.metadata.version}` },
    isLive,
    helmVersion: dialect.version,
    events: record === undefined ? ["pre-install", "post-install"] : ["pre-upgrade", "post-upgrade"],
    ...compared,
    ...(live === undefined ? {} : { changes: live }),
  };
}

/** The chart as an upgrade, or an installation, would render it now. */
async function renderNext(
  { chart: reference, release: name }: DiffRequest & { type: "upgrade" },
  { parsed, context, access, namespace, history, record }: DiffContext & { readonly record: ReleaseRecord | undefined },
): Promise<{ chart: Chart; rendered: RenderedChart; dialect: HelmDialect }> {
  const warn = (text: string): void => context.writeError(`${text}\n`);
  const behaviour = await behaviourFor(history, parsed);
  const { dialect } = behaviour;
  const load = await locateChart(reference, parsed, { context, behaviour });
  const given = await givenValues(parsed, context, dialect);
  const loaded = await installableChart(await load(), reference, { parsed, context, behaviour });
  const input = upgradeInput(parsed, { chart: loaded, given, record });
  const chart = processDependencies(input.chart, input.values, { warn, dialect });
  const { signal } = context;
  const capabilities = await readCapabilities(access.cluster, { elapsedMs: performance.now(), signal });
  const values = await checkedValues(chart, input.values, { parsed, context, warn, dialect });
  const release = { name, namespace, revision: (history.at(-1)?.version ?? 0) + 1, isUpgrade: record !== undefined };
  const rendered = await renderRelease({ chart, values, release, capabilities, dialect }, { context, access });
  return { chart, rendered, dialect };
}

/** Without --helm, an upgrade keeps the version of Helm that made the newest revision, and an install is made as Helm 4, like a new item. */
async function behaviourFor(history: readonly ReleaseRecord[], parsed: ParsedFlags): Promise<HelmBehaviour> {
  const newest = history.at(-1);
  if (parsed.text(helmFlag.name) !== undefined) return await loadBehaviour(parsed);
  const isUpgrade = newest !== undefined && newest.info.status !== "uninstalled";
  return await loadBehaviour(parsed, isUpgrade ? helmVersionOf(newest) : "4");
}

/** What an upgrade begins with; undefined where it would be an installation. */
function installedRevision(history: readonly ReleaseRecord[]): ReleaseRecord | undefined {
  if (decideRelease(history).type === "install") return undefined;
  return currentRevision(history);
}

function revisionOf(wanted: number, release: string, { history, namespace }: DiffContext): ReleaseRecord {
  const found = history.find(({ version }) => version === wanted);
  if (found !== undefined) return found;
  if (history.length === 0) throw missingRelease(release, namespace);
  const there = history.map(({ version }) => version).join(", ");
  throw new UsageError(`release ${namespace}/${release} has no revision ${wanted}, found ${there}`);
}

function missingRelease(release: string, namespace: string): UsageError {
  return new UsageError(
    `there is no release "${release}" in namespace "${namespace}"; --install shows what would be installed`,
  );
}

function nameOf({ version, chart }: ReleaseRecord): RevisionName {
  const { metadata } = chart;
  const word = (field: string): string => {
    const value = isJsonObject(metadata) ? metadata[field] : undefined;
    return typeof value === "string" ? value : "?";
  };
  return { revision: version, chart: `${word("name")}-${word("version")}` };
}
