import { kubeResources } from "@landscaper/api";
import { readTokenLife } from "@landscaper/deployer";
import { isRotationDue, tokenLifeSeconds } from "./decide-rotation.ts";
import type { OpenSource } from "./open-source.ts";
import { readKubeconfig, replaceKubeconfig, soleUserOf } from "./source-kubeconfig.ts";
import type { SyncRun } from "./target-sync-context.ts";

export interface Rotation {
  readonly at: Date;
  /** resourceVersion of the Secret with the new token. */
  readonly secretVersion: string | undefined;
}

/** Renews the token of the source's kubeconfig when that is due (core.md §4.52 fixed); the write is guarded. */
export async function rotateToken(run: SyncRun, { source, secret }: OpenSource): Promise<Rotation | undefined> {
  const { context, targetSync, signal } = run;
  const { secretRef, tokenRotation } = targetSync.spec;
  if (tokenRotation?.enabled !== true) return undefined;
  const user = soleUserOf(readKubeconfig(secret, secretRef));
  const nowMs = context.clock.now();
  if (!isRotationDue(targetSync, readTokenLife(user.token), nowMs)) return undefined;
  const token = await source.requestToken(user.name, tokenLifeSeconds);
  const renewed = replaceKubeconfig(secret, secretRef, user.withToken(token));
  const stored = await context.client.update(kubeResources.secret, renewed, { signal });
  return { at: new Date(nowMs), secretVersion: stored.metadata.resourceVersion };
}
