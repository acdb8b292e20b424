import type { KubeObject } from "@landscaper/api";
import type { Preview } from "@landscaper/deployer";
import {
  currentRevision,
  isSameContent,
  previewRevision,
  storedCrds,
  type PreviewOptions,
  type ReleaseRecord,
} from "@landscaper/helm-release";
import { ownerOf, takeOverOf, withHeldBack } from "@landscaper/manifest-deployer-lib";
import { formatPlan, isOwnedBy, summarizePlan, unknownSecrets } from "@landscaper/resources";
import { decideRollback } from "../remediation/decide-rollback.ts";
import { contentOf, renderItem, textsOf, type RenderingOptions } from "../rendering/helm-rendering.ts";
import { readHelmStatus } from "../helm-status.ts";
import { checkReleaseRemovals } from "./check-release-removals.ts";
import { describeVersion, isMadeAsWanted } from "./choose-version.ts";
import { inputsDigest, knownRevision, planRelease } from "./plan-release.ts";
import { releaseContext } from "./release-access.ts";
import { methodOf, serverSideApplyOf } from "./release-options.ts";
import { withVersion } from "../switch/version-of-plan.ts";
import { redactFailure } from "../values/redact-failure.ts";
import { isProvenanceKnown } from "../values/sent-secrets-of.ts";
import type { ReleasePreview } from "../values/with-values.ts";

type Place = Pick<RenderingOptions, "context" | "cluster">;

/** What a job would change on the target, object by object; hooks are not objects of the release. Nothing changes. */
export async function previewRelease(
  options: Omit<RenderingOptions, "revision" | "isUpgrade" | "helmVersion">,
): Promise<ReleasePreview> {
  const { config } = options.context;
  const history = await historyOf(options);
  const inputs = inputsDigest(options.loaded.origin.digest, config);
  const helmStatus = readHelmStatus(options.context.providerStatus);
  const state = { history, status: helmStatus };
  const status = knownRevision(helmStatus, config);
  const isOfVersion = isMadeAsWanted(config, state);
  const plan = planRelease({ history, status, inputs, method: methodOf(config), isOfVersion });
  const described = describeVersion(config, state);
  const ofRelease = async (planned: PlannedRevision, check?: () => Promise<void>): Promise<ReleasePreview> => {
    const { preview, stored } = await withStoredValues(planned, options, check);
    return { preview: withVersion(preview, described), stored };
  };
  // The job restores what differs from the revision, and renders nothing: templates may make passwords.
  if (plan.type === "unchanged") return await ofRelease({ history, manifest: plan.record.manifest });
  const rendered = await renderItem({ ...options, ...plan, helmVersion: described.version });
  const { unlessSameAs: deployed } = plan;
  if (deployed !== undefined && (await isSameContent(deployed, textsOf(rendered)))) {
    return await ofRelease({ history, manifest: deployed.manifest });
  }
  const { manifest, crds } = await contentOf(rendered, config.values);
  const check = async (): Promise<void> => checkReleaseRemovals(options, { history, manifest, crds: crds ?? [] });
  return await ofRelease({ history, manifest, crds }, check);
}

/** The same for a job that goes back to a revision. Throws LandscaperError when there is no such revision. */
export async function previewRollback(place: Place, request: string): Promise<ReleasePreview> {
  const history = await historyOf(place);
  const decision = decideRollback({ request, history, status: {} });
  if (decision.type === "unchanged") {
    return await withStoredValues({ history, manifest: decision.record.manifest }, place);
  }
  const { target } = decision;
  const { manifest } = target;
  const check = async (): Promise<void> =>
    checkReleaseRemovals(place, { history, manifest, crds: await storedCrds(target) });
  return await withStoredValues({ history, manifest }, place, check);
}

export interface PlannedRevision extends Pick<PreviewOptions, "manifest" | "crds"> {
  readonly history: readonly ReleaseRecord[];
}

/** Failures do not contain the stored values. `check` throws an error if the job would be held back. */
async function withStoredValues(
  planned: PlannedRevision,
  place: Place,
  check?: () => Promise<void>,
): Promise<ReleasePreview> {
  const stored = planned.history.map(({ config }) => config);
  try {
    const preview = await previewOf(place, planned);
    return { preview: check === undefined ? preview : await withHeldBack(preview, check), stored };
  } catch (error) {
    throw await redactFailure(error, place.context.config.valuesFrom.length === 0 ? [] : stored);
  }
}

export async function historyOf({ context, cluster }: Place): Promise<readonly ReleaseRecord[]> {
  const { config, item, clock, log, signal } = context;
  const takeOver = takeOverOf(context);
  return await releaseContext(config, cluster, { item, clock, log, takeOver }).store.history({ signal });
}

export async function previewOf(
  { context, cluster }: Place,
  { history, manifest, crds }: PlannedRevision,
): Promise<Preview> {
  const { config, item, signal } = context;
  const release = { name: config.name, namespace: config.namespace };
  const record = currentRevision(history);
  const { install, upgrade } = config.options;
  const phase = record === undefined ? install : upgrade;
  const takesAll = phase?.takeOwnership === true;
  const own = ownerOf(item);
  // What the item has as manifests is handed over.
  const mayTake = (live: KubeObject): boolean => takesAll || isOwnedBy(live, own);
  const { mode, managedResources } = readHelmStatus(context.providerStatus);
  const inventory = mode === "manifests" ? managedResources : [];
  const serverSideApply = serverSideApplyOf(context, history);
  const secrets = isProvenanceKnown(item) ? undefined : unknownSecrets;
  const planned = { cluster, release, manifest, record, crds, crdPolicy: phase?.crdPolicy, secrets, signal };
  const { ignoreFields: ignore, createNamespace } = config;
  const changes = await previewRevision({ ...planned, mayTake, inventory, serverSideApply, ignore, createNamespace });
  const changing = changes.filter(({ type }) => type !== "unchanged");
  return { summary: summarizePlan(changes), text: formatPlan(changes), changes: changing };
}
