import { chosenIn, kindOf, type Exchange } from "./exchange.ts";

/** A recorded exchange with the earlier ones of its group whose answers it waits for. */
export interface PlannedExchange {
  readonly exchange: Exchange;
  /** Indexes in the group. */
  readonly after: readonly number[];
}

/** The exchanges about one subject, such as one Installation, in the order of their arrival. */
export interface ReplayGroup {
  /** Undefined for an exchange without a subject, such as a read of an object that all share: it is a group of its own. */
  readonly subject: string | undefined;
  readonly exchanges: readonly PlannedExchange[];
}

/**
 * Groups exchanges by their subject and orders them. A request waits for all answers of its group that were complete when it arrived: two requests
 * that the product had in flight together are in flight together again, and every answer whose uid or resourceVersion a request names comes before it.
 */
export function planReplay(
  exchanges: readonly Exchange[],
  subjectOf: (exchange: Exchange) => string | undefined,
): ReplayGroup[] {
  const groups: { readonly subject: string | undefined; readonly members: Exchange[] }[] = [];
  const bySubject = new Map<string, Exchange[]>();
  for (const exchange of exchanges.toSorted((a, b) => a.began - b.began)) {
    const subject = subjectOf(exchange);
    const known = subject === undefined ? undefined : bySubject.get(subject);
    if (known !== undefined) {
      known.push(exchange);
      continue;
    }
    const members = [exchange];
    groups.push({ subject, members });
    if (subject !== undefined) bySubject.set(subject, members);
  }
  return groups.map(({ subject, members }) => ({ subject, exchanges: order(members) }));
}

function order(exchanges: readonly Exchange[]): PlannedExchange[] {
  return exchanges.map((exchange, index) => {
    const earlier = exchanges.slice(0, index);
    return { exchange, after: earlier.flatMap(({ ended }, at) => (ended <= exchange.began ? at : [])) };
  });
}

/**
 * The first match of the pattern's group: in the path, the request, or the answer. Names of some objects are digests, but their bodies name the owner.
 */
export function findSubject(pattern: RegExp): (exchange: Exchange) => string | undefined {
  return ({ path, requestBody, responseBody }) => {
    for (const text of [path, requestBody, responseBody]) {
      const [, found] = pattern.exec(text) ?? [];
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Methods and resources of the requests that one subject costs at least, as `kindOf` writes them, with how many of each. */
export type ContractList = Readonly<Record<string, number>>;

/** Picks the listed requests from what the product has sent, phase by phase. */
export interface ContractPicker {
  /** The first requests of each kind, and its last one. Throws if the product sends fewer: then the list is not the smallest. */
  pick(groups: readonly ReplayGroup[], list: ContractList): ReplayGroup[];
  /** Versions that requests which are not picked have made, with the version before each: a later request may name them. */
  readonly skipped: ReadonlyMap<string, string>;
}

export function createContractPicker(): ContractPicker {
  const skipped = new Map<string, string>();
  const latest = new Map<string, string>();
  const note = (exchange: Exchange, isKept: boolean): void => {
    const { uid, resourceVersion } = chosenIn(exchange.responseBody);
    if (exchange.status >= 300 || uid === undefined || resourceVersion === undefined) return;
    const before = latest.get(uid);
    if (!isKept && before !== undefined && before !== resourceVersion) skipped.set(resourceVersion, before);
    latest.set(uid, resourceVersion);
  };
  return {
    skipped,
    pick: (groups, list) =>
      groups.flatMap(({ subject, exchanges }) => {
        if (subject === undefined) return [];
        const all = exchanges.map(({ exchange }) => exchange);
        const kept = new Set(Object.entries(list).flatMap(([kind, count]) => pickKind(all, { subject, kind, count })));
        for (const exchange of all) note(exchange, kept.has(exchange));
        return [{ subject, exchanges: order(all.filter((exchange) => kept.has(exchange))) }];
      }),
  };
}

interface Wanted {
  readonly subject: string;
  readonly kind: string;
  readonly count: number;
}

function pickKind(exchanges: readonly Exchange[], { subject, kind, count }: Wanted): Exchange[] {
  const found = exchanges.filter((exchange) => exchange.status < 300 && kindOf(exchange) === kind);
  if (found.length >= count) return [...found.slice(0, count - 1), ...found.slice(-1)];
  const advice = "The product sends fewer: shorten the list of the contract.";
  throw new Error(`${subject}: expected at least ${count} of "${kind}", found ${found.length}. ${advice}`);
}
