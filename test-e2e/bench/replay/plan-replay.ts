import { serverMetadataOf, kindOf, type Exchange } from "./exchange.ts";

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
 * Groups exchanges by their subject and orders them. A request waits for all answers of its group that were complete when it arrived, and for the previous
 * write to its object. Other concurrent requests of the product stay concurrent.
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
  const previous = findPreviousWrites(exchanges);
  const sorted = sortByCommit(exchanges, previous);
  return sorted.map((exchange, index) => {
    const earlier = sorted.slice(0, index);
    const isAwaited = (one: Exchange): boolean => one.ended <= exchange.began || one === previous.get(exchange);
    return { exchange, after: earlier.flatMap((one, at) => (isAwaited(one) ? at : [])) };
  });
}

/**
 * Maps each write to the write that the API server committed before it to the same object. The answer to that one may have arrived later: a client can see
 * the new version by its watch and write the object meanwhile.
 */
function findPreviousWrites(exchanges: readonly Exchange[]): ReadonlyMap<Exchange, Exchange> {
  const writes = exchanges.flatMap((exchange) => {
    const { uid, resourceVersion } = serverMetadataOf(exchange.responseBody);
    const isWrite = exchange.method !== "GET" && exchange.status < 300;
    return isWrite && uid !== undefined && resourceVersion !== undefined
      ? [{ exchange, uid, version: BigInt(resourceVersion) }]
      : [];
  });
  const previous = new Map<Exchange, Exchange>();
  const latest = new Map<string, Exchange>();
  for (const { uid, exchange } of writes.toSorted((a, b) => (a.version < b.version ? -1 : 1))) {
    const before = latest.get(uid);
    if (before !== undefined) previous.set(exchange, before);
    latest.set(uid, exchange);
  }
  return previous;
}

/** Sorts by arrival, but each write after the previous write to its object. */
function sortByCommit(exchanges: readonly Exchange[], previous: ReadonlyMap<Exchange, Exchange>): readonly Exchange[] {
  const positions = new Map<Exchange, { readonly began: number; readonly depth: number }>();
  const positionOf = (exchange: Exchange): { readonly began: number; readonly depth: number } => {
    const known = positions.get(exchange);
    if (known !== undefined) return known;
    const before = previous.get(exchange);
    const after = before === undefined ? undefined : positionOf(before);
    const isLater = after === undefined || exchange.began > after.began;
    const position = isLater ? { began: exchange.began, depth: 0 } : { began: after.began, depth: after.depth + 1 };
    positions.set(exchange, position);
    return position;
  };
  return exchanges.toSorted((a, b) => {
    const [one, other] = [positionOf(a), positionOf(b)];
    return one.began - other.began || one.depth - other.depth;
  });
}

/** Finds subjects by the first match of the pattern's group in path, request or answer. Some objects are named by digests, but their bodies name the owner. */
export function findSubject(pattern: RegExp): (exchange: Exchange) => string | undefined {
  return ({ path, requestBody, responseBody }) => {
    for (const text of [path, requestBody, responseBody]) {
      const [, found] = pattern.exec(text) ?? [];
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Smallest number of requests of each kind for one subject. Keys are in the notation of `kindOf`. */
export type ContractList = Readonly<Record<string, number>>;

/** Picks the listed requests from the product's requests, phase by phase. */
export interface ContractPicker {
  /** Picks the first requests of each kind, and its last one. Throws if the product sends fewer: then the list is not the smallest. */
  pick(groups: readonly ReplayGroup[], list: ContractList): ReplayGroup[];
  /** Maps resource versions made by skipped requests to their predecessors: a later request may name them. */
  readonly skipped: ReadonlyMap<string, string>;
}

export function createContractPicker(): ContractPicker {
  const skipped = new Map<string, string>();
  const latest = new Map<string, string>();
  const note = (exchange: Exchange, isKept: boolean): void => {
    const { uid, resourceVersion } = serverMetadataOf(exchange.responseBody);
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
