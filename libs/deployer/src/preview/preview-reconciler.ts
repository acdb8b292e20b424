import type { Result } from "@landscaper/controller-runtime";
import type { BetweenJobs } from "../continuous/continuous-reconciler.ts";
import { canAnswer, decidePreview, type PreviewDecision } from "./decide-preview.ts";
import { PreviewPass } from "./preview-pass.ts";
import type { ReconcilerOptions } from "../reconciler-options.ts";
import { JobLostError } from "../jobs/reporting/status-writer.ts";

/** Operation "plan" of an item without work of a job: observe, decide (`decidePreview`), perform (`PreviewPass`). */
export async function reconcilePreview(
  options: ReconcilerOptions,
  { item, signal, slot }: BetweenJobs,
): Promise<Result | undefined> {
  const { deployer, targetSelectors, claims, previews, stepBacks, targets } = options;
  const canPreview = canAnswer(deployer, item);
  const responsibility = { type: deployer.type, targetSelectors, claim: claims.of(item), canPreview };
  // Most items do not ask: decided before anything is read.
  if (decidePreview({ item, target: { state: "none" } }, responsibility).type === "off") {
    previews.forget(item);
    return undefined;
  }
  const look = previews.find(item) === undefined ? targets.confirm : targets.observe;
  const target = await look(item, signal);
  const pass = new PreviewPass({ ...options, item, target, signal, slot });
  try {
    return await perform(pass, decidePreview({ item, target }, responsibility));
  } catch (error) {
    if (!(error instanceof JobLostError)) throw error;
    previews.leave(item);
    stepBacks.tell(item, error.holder);
    return undefined;
  } finally {
    pass.release();
  }
}

async function perform(pass: PreviewPass, decision: PreviewDecision): Promise<Result | undefined> {
  switch (decision.type) {
    case "off":
      return undefined;
    case "wait":
      return { requeueAfterMs: decision.leftMs };
    case "withdraw":
      return await pass.withdraw();
    case "unsupported":
      return await pass.refuseUnsupported();
    case "targetMissing":
      return await pass.refuseMissingTarget(decision.targetName);
    case "run":
      return await pass.run();
  }
}
