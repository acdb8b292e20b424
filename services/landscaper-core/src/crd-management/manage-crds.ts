import { generateCrds, kubeResources, LandscaperError, type CustomResourceDefinition } from "@landscaper/api";
import { isForbidden, retryLostRaces, type Client, type Clock, type Logger } from "@landscaper/controller-runtime";
import { isDeleting, nameOf } from "../object-reading.ts";
import { hasAcceptedNames, planCrd } from "./plan-crd.ts";

/** `crdManagement` of the configuration (core.md §3.5). */
export interface CrdSettings {
  /** Apply the CRDs at all. */
  readonly deployCrd: boolean;
  /** Also those that are there already. */
  readonly forceUpdate: boolean;
}

export interface CrdManagement {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: CrdSettings;
  /** Plurals of the kinds that the cluster needs. Default: all. */
  readonly kinds?: readonly string[];
}

/** Writes that may lose their race against other replicas that start at the same time. */
export const maxAttempts = 10;
/** Longest wait for the API server to serve the kinds (core.md §1.4 no. 86). */
const establishMs = 30_000;

const type = kubeResources.customResourceDefinition;

/** Brings the CRDs of this release into the cluster and waits until they are served. Writes nothing that is there already. */
export async function manageCrds(management: CrdManagement, signal: AbortSignal): Promise<void> {
  if (management.settings.deployCrd) await applyAll(management, signal);
}

async function applyAll({ client, clock, log, settings, kinds }: CrdManagement, signal: AbortSignal): Promise<void> {
  const crds = generateCrds().filter(({ spec }) => kinds === undefined || kinds.includes(spec.names.plural));
  const timeout = new AbortController();
  const cancel = clock.schedule(establishMs, () => timeout.abort(new Error("the time is over")));
  const either = AbortSignal.any([signal, timeout.signal]);
  let isOver = false;
  const apply = async (wanted: CustomResourceDefinition): Promise<void> => {
    try {
      const options = { wanted, settings, signal: either };
      for (let isStable = false; !isStable;) {
        const { crd, change } = await applyCrd(client, options);
        if (change !== "keep") log.info({ crd: nameOf(wanted), change }, "a CustomResourceDefinition was applied");
        const served = await waitUntilServed(client, crd, either);
        // Names that were put right have a mark until the API server has judged them.
        isStable = planCrd(wanted, served, settings).kind === "keep";
      }
    } catch (error) {
      if (timeout.signal.aborted && !isOver) throw notServed(wanted);
      throw isForbidden(error) ? forbidden(error) : error;
    }
  };
  try {
    await Promise.all(crds.map(apply));
  } finally {
    // The others end, too, when one has failed.
    isOver = true;
    cancel();
    timeout.abort(new Error("the CustomResourceDefinitions were given up"));
  }
}

interface ApplyOptions {
  readonly wanted: CustomResourceDefinition;
  readonly settings: CrdSettings;
  readonly signal: AbortSignal;
}

interface Applied {
  readonly crd: CustomResourceDefinition;
  readonly change: "create" | "update" | "keep";
}

async function applyCrd(client: Client, { wanted, settings, signal }: ApplyOptions): Promise<Applied> {
  return await retryLostRaces(maxAttempts, async () => {
    const live = await client.find(type, { name: nameOf(wanted) }, { signal });
    if (live !== undefined && isDeleting(live)) throw leaving(wanted);
    const plan = planCrd(wanted, live, settings);
    switch (plan.kind) {
      case "keep":
        return { crd: live ?? wanted, change: plan.kind };
      case "create":
        return { crd: await client.create(type, plan.crd, { signal }), change: plan.kind };
      case "update":
        return { crd: await client.update(type, plan.crd, { signal }), change: plan.kind };
    }
  });
}

function isServed(crd: CustomResourceDefinition): boolean {
  const isEstablished = crd.status?.conditions?.some(
    ({ type: name, status }) => name === "Established" && status === "True",
  );
  return isEstablished === true && hasAcceptedNames(crd);
}

/** Watches one CRD until its kind is served, by the names that it has. */
async function waitUntilServed(
  client: Client,
  crd: CustomResourceDefinition,
  signal: AbortSignal,
): Promise<CustomResourceDefinition> {
  const name = nameOf(crd);
  let latest = crd;
  while (!isServed(latest)) {
    const { resourceVersion = "" } = latest.metadata;
    for await (const event of client.watch(type, { fieldSelector: `metadata.name=${name}`, resourceVersion, signal })) {
      if (event.type === "ERROR" || event.type === "DELETED") break;
      if (event.type !== "BOOKMARK" && isServed(event.object)) return event.object;
    }
    latest = await client.get(type, { name }, { signal });
  }
  return latest;
}

function problem(message: string, hint: string): LandscaperError {
  return new LandscaperError({ message, hint, reason: "CrdManagementFailed" });
}

function notServed(crd: CustomResourceDefinition): LandscaperError {
  return problem(
    `CustomResourceDefinition ${nameOf(crd)}: expected the conditions Established and NamesAccepted within ${establishMs / 1000} s`,
    "look at its status.conditions; names that are refused are put right where crdManagement.forceUpdate is true",
  );
}

function leaving(crd: CustomResourceDefinition): LandscaperError {
  return problem(
    `CustomResourceDefinition ${nameOf(crd)} is being deleted`,
    "start again when it is gone; objects of its kind with finalizers keep it",
  );
}

function forbidden(error: Error): LandscaperError {
  return problem(
    `the CustomResourceDefinitions cannot be applied: ${error.message}`,
    "grant get, watch, create and update for customresourcedefinitions, or apply crds/ yourself and set crdManagement.deployCrd to false",
  );
}
