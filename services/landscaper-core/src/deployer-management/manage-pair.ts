import { keyOf, type Installation, type LandscaperError, type ServiceAccount } from "@landscaper/api";
import { decideToken, isSealedFor, sealToken } from "@landscaper/deployer";
import { isDeleting, nameOf, namespaceOf, uidOf } from "../object-reading.ts";
import { requestServiceAccountToken } from "../request-credentials.ts";
import { buildServiceAccount } from "./rights/build-accounts.ts";
import type { DeployerManagementContext } from "./deployer-management-context.ts";
import { buildInstallation } from "./build-installation.ts";
import { buildDeployerTarget, deployerTokenSeconds, readDeployerToken } from "./deployer-target.ts";
import { grantRights } from "./rights/granted-rights.ts";
import {
  ensureAccount,
  ensureDeployerTarget,
  ensureInstallation,
  isOfSamePair,
  startJobs,
  type ManagementRun,
} from "./made-objects.ts";
import { namesOf, pairName, type Pair, type PairNames } from "./pair.ts";

/** What an earlier Installation has left is gone soon. */
const leftoverMs = 1_000;
/** Between two tokens of one account. */
const leastRenewalMs = 60_000;

export interface PairOutcome {
  /** Delay until the next check of the deployer, in ms. */
  readonly requeueAfterMs: number | undefined;
  /** Why the deployer lacks rights in a namespace. */
  readonly problem?: LandscaperError | undefined;
}

/**
 * Everything of one deployer of an Environment, in the order in which it is needed: the Installation that owns the rest, the account with
 * its rights, the Target with a token of it, and the trigger (docs/reference/deployer-management.md#objects).
 */
export async function managePair(run: ManagementRun, pair: Pair): Promise<PairOutcome> {
  const desired = buildInstallation(pair, run.context.settings);
  const existing = run.context.installations.get(keyOf(desired));
  const isThere = existing !== undefined && isOfSamePair(existing, desired) && !isDeleting(existing);
  // A change of an Installation that is there starts a job at once: the deployer shall have its rights by then.
  if (isThere) await grantRights(run, pair);
  const installation = await ensureInstallation(run, desired);
  const outcome = await keepAccess(run, pair, installation);
  if (outcome.isComplete) await startJobs(run, installation);
  return outcome;
}

export interface AccessOutcome extends PairOutcome {
  readonly isComplete: boolean;
}

/** The account of a deployer with its rights, and the Target with a token of it. */
export async function keepAccess(run: ManagementRun, pair: Pair, installation: Installation): Promise<AccessOutcome> {
  const names = namesOf(pair);
  if (isDeleting(installation)) return { requeueAfterMs: undefined, isComplete: false };
  const account = await ensureAccount(run, installation, buildServiceAccount(installation, names));
  if (account === undefined) return { requeueAfterMs: leftoverMs, isComplete: false };
  const problem = await grantRights(run, pair);
  const { token, renewAfterMs } = await obtainToken(run, {
    names,
    account,
    sealingKey: pair.environment.spec.sealingKey,
  });
  const target = buildDeployerTarget({ environment: pair.environment, installation, names, token });
  const isComplete = await ensureDeployerTarget(run, installation, target);
  return { requeueAfterMs: isComplete ? Math.max(renewAfterMs, leftoverMs) : leftoverMs, isComplete, problem };
}

interface ObtainedToken {
  readonly token: string;
  /** When to renew it, in ms from now. */
  readonly renewAfterMs: number;
}

interface TokenOwner {
  readonly names: PairNames;
  readonly account: ServiceAccount;
  /** Of the Environment's agent. */
  readonly sealingKey: string | undefined;
}

/** The token of the deployer's Target, or a new one where that has to be renewed or sealed for another key. */
async function obtainToken(
  { context, signal }: ManagementRun,
  { names, account, sealingKey }: TokenOwner,
): Promise<ObtainedToken> {
  const namespace = namespaceOf(account);
  const accountUid = uidOf(account);
  // The life of a token is told by the time of day; the pause between two requests is not.
  const [nowMs, elapsedMs] = [context.clock.now(), context.clock.elapsed()];
  const current = readDeployerToken(context.targets.get({ namespace, name: pairName(names) }));
  const last = context.requestedTokens.get(accountUid);
  // A server whose clock is far behind gives tokens that are old at once.
  const pauseMs = last === undefined ? 0 : last.atMs + leastRenewalMs - elapsedMs;
  const isForKey = current !== undefined && isSealedFor(current, sealingKey);
  if (isForKey && last?.token === current && pauseMs > 0) return { token: current, renewAfterMs: pauseMs };
  const known = decideToken(current, accountUid, nowMs);
  if (isForKey && known.kind === "keep") return { token: known.token, renewAfterMs: known.untilMs - nowMs };
  const request = { namespace, name: nameOf(account), expirationSeconds: deployerTokenSeconds };
  const { value } = await requestServiceAccountToken(context.client, request, signal);
  const token = sealingKey === undefined ? value : sealToken(value, sealingKey);
  noteToken(context.requestedTokens, accountUid, { token, atMs: elapsedMs });
  const fresh = decideToken(token, accountUid, nowMs);
  return { token, renewAfterMs: fresh.kind === "keep" ? fresh.untilMs - nowMs : leastRenewalMs };
}

/** Forgets those that are no longer of interest; the map keeps the order of the requests. */
function noteToken(
  tokens: DeployerManagementContext["requestedTokens"],
  accountUid: string,
  request: { readonly token: string; readonly atMs: number },
): void {
  tokens.delete(accountUid);
  for (const [uid, { atMs }] of tokens) {
    if (atMs + leastRenewalMs > request.atMs) break;
    tokens.delete(uid);
  }
  tokens.set(accountUid, request);
}
