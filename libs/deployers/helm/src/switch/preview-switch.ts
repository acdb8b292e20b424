import { LandscaperError } from "@landscaper/api";
import {
  explainChanges,
  idsThatDiffer,
  otherVersion,
  type HelmVersion,
  type HybridRequest,
  type ObjectTexts,
} from "@landscaper/helm";
import type { ReleaseRecord } from "@landscaper/helm-release";
import { readHelmStatus } from "../helm-status.ts";
import { describeVersion, isMadeAsWanted, type DescribedVersion } from "../release/choose-version.ts";
import { inputsDigest, knownRevision, planRelease } from "../release/plan-release.ts";
import { historyOf } from "../release/preview-release.ts";
import { methodOf } from "../release/release-options.ts";
import { renderItem, textsOf, type RenderingOptions } from "../rendering/helm-rendering.ts";
import { redactFailure } from "../values/redact-failure.ts";
import type { ReleasePreview } from "../values/with-values.ts";
import { readContent, restartsPods, type RenderedContent } from "./rendered-content.ts";
import { describeSwitch, type ChangeCause, type SwitchChange, type SwitchResult } from "./switch-report.ts";
import type { SwitchRequest } from "./switch-request.ts";

/** Further renderings that only explain changes end after this time. */
const explainMs = 30_000;
/** Offset of the second rendering. Texts that depend on the time differ after it. */
const laterMs = 36 * 60 * 60 * 1000;

/** Compares what the item renders to in both versions of Helm, and explains the differences. Writes nothing. Throws LandscaperError. */
export async function previewSwitch(rendering: RenderingOptions, request: SwitchRequest): Promise<ReleasePreview> {
  const { config, providerStatus } = rendering.context;
  const history = config.isRelease ? await historyOf(rendering) : [];
  const described = describeVersion(config, { history, status: readHelmStatus(providerStatus) });
  const to = request === "other" ? otherVersion(described.version) : request;
  const result = await resultOf(rendering, { described, to, history });
  return { preview: describeSwitch(described, to, result), stored: history.map((record) => record.config) };
}

interface Switch {
  readonly described: DescribedVersion;
  readonly to: HelmVersion;
  readonly history: readonly ReleaseRecord[];
}

async function resultOf(rendering: RenderingOptions, { described, to, history }: Switch): Promise<SwitchResult> {
  if (to === described.version) return { type: "same" };
  const { deployed, ...next } = nextRevision(rendering, history);
  const options = { ...rendering, ...next, helmVersion: described.version };
  const now = rendering.context.clock.now();
  const place = { ...rendering, namespace: rendering.context.config.namespace, signal: rendering.context.signal };
  const before = textsOf(await renderItem({ ...options, now }));
  const again = textsOf(await renderItem({ ...options, now: now + laterMs }));
  const after = await renderOther({ ...options, helmVersion: to, now });
  if ("problem" in after) return { type: "refused", problem: after.problem };
  const isSameText = before.manifest === after.manifest && JSON.stringify(before.hooks) === JSON.stringify(after.hooks);
  const [base, repeated, other] = [
    await readContent(before, place),
    await readContent(again, place),
    await readContent(after, place),
  ];
  // Without pending changes, a job replaces the deployed revision if any object of the next one differs.
  const current = deployed === undefined ? base : await readContent(deployed, place);
  const random = new Set(idsThatDiffer(base.texts, repeated.texts));
  const changed = idsThatDiffer(current.texts, other.texts);
  if (changed.length === 0 && random.size === 0) {
    if (isSameText) return { type: "none" };
    return { type: String(base.order) === String(other.order) ? "whiteSpace" : "order" };
  }
  const causes = await explain({ ...options, now }, { base, other, random });
  const ids = new Set([...changed, ...random]);
  const changes = [...ids].map((id): SwitchChange => {
    if (random.has(id)) return changeOf(id, { current, other, causes: undefined });
    return changeOf(id, { current, other, causes: causes.get(id) ?? (isEqual(id, base, other) ? ["revision"] : []) });
  });
  return { type: random.size === 0 ? "changes" : "unknown", changes };
}

/** Returns the revision for the templates, and the deployed revision if the item has no pending changes. */
function nextRevision(
  { context, loaded, revision, isUpgrade }: RenderingOptions,
  history: readonly ReleaseRecord[],
): Pick<RenderingOptions, "revision" | "isUpgrade"> & { readonly deployed: ReleaseRecord | undefined } {
  const { config } = context;
  if (!config.isRelease) return { revision, isUpgrade, deployed: undefined };
  const status = readHelmStatus(context.providerStatus);
  const inputs = inputsDigest(loaded.origin.digest, config);
  const input = { history, status: knownRevision(status, config), inputs, method: methodOf(config) };
  const current = planRelease({ ...input, isOfVersion: isMadeAsWanted(config, { history, status }) });
  const next = planRelease({ ...input, isOfVersion: false });
  const deployed = current.type === "unchanged" ? current.record : undefined;
  return next.type === "unchanged" ? { revision, isUpgrade, deployed } : { ...next, deployed };
}

/** Throws errors that do not depend on the version, such as an unreachable target. */
async function renderOther(
  options: RenderingOptions,
): Promise<ReturnType<typeof textsOf> | { readonly problem: string }> {
  try {
    return textsOf(await renderItem(options));
  } catch (error) {
    if (!(error instanceof LandscaperError) || error.retry !== "never" || isOfLimit(error)) throw error;
    return { problem: (await redactFailure(error, options.context.config.secrets)).message };
  }
}

interface Contents {
  readonly base: RenderedContent;
  readonly other: RenderedContent;
  /** Objects that differ in each rendering. */
  readonly random: ReadonlySet<string>;
}

async function explain(
  options: RenderingOptions,
  { base, other, random }: Contents,
): Promise<ReadonlyMap<string, readonly ChangeCause[]>> {
  const { clock, config, signal } = options.context;
  const end = clock.elapsed() + explainMs;
  const place = { ...options, namespace: config.namespace, signal };
  const without = (texts: ObjectTexts): ObjectTexts => new Map([...texts].filter(([id]) => !random.has(id)));
  const render = async ({ version, replaced }: HybridRequest): Promise<ObjectTexts | undefined> => {
    if (clock.elapsed() > end) return undefined;
    try {
      const rendered = await renderItem({ ...options, helmVersion: version, replaced });
      return (await readContent(textsOf(rendered), place)).texts;
    } catch (error) {
      signal.throwIfAborted();
      // A chart may need two differences at once.
      if (error instanceof LandscaperError) return undefined;
      throw error;
    }
  };
  const { helmVersion: version } = options;
  return await explainChanges({ version, before: without(base.texts), after: without(other.texts), render });
}

interface ChangeParts {
  readonly current: RenderedContent;
  readonly other: RenderedContent;
  /** Undefined: the object differs each time. */
  readonly causes: readonly ChangeCause[] | undefined;
}

function changeOf(id: string, { current, other, causes }: ChangeParts): SwitchChange {
  const [before, after] = [current.objects.get(id), other.objects.get(id)];
  const known = after ?? before;
  if (known === undefined) throw new TypeError("an object that differs is in one of the renderings");
  const { resource, isHook } = known;
  const isUpdate = before !== undefined && after !== undefined;
  const type = isUpdate ? "update" : before === undefined ? "create" : "delete";
  const restarts = isUpdate && !isHook && restartsPods(before.object, after.object);
  return {
    type: causes === undefined ? "unknown" : type,
    resource,
    isHook,
    causes: causes ?? [],
    restartsPods: restarts,
  };
}

function isEqual(id: string, a: RenderedContent, b: RenderedContent): boolean {
  return a.texts.get(id) === b.texts.get(id);
}

function isOfLimit({ reason }: LandscaperError): boolean {
  return reason === "ChartLimitExceeded";
}
