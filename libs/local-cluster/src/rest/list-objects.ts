import { parseJson } from "@landscaper/json";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, unsupportedField } from "../status/field-error.ts";
import { StatusError, badRequest, expired, invalid } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { RestContext, RestTarget } from "./rest-context.ts";
import type { Selection } from "./selection.ts";
import { isSelected, parseSelection } from "./selection.ts";

export interface ListResult {
  readonly revision: number;
  readonly objects: readonly StoredObject[];
  /** "" on the last page. */
  readonly continueToken: string;
  readonly remaining: number | undefined;
}

/** Lists that are being read page by page: the state of their first page, so that all pages are of one moment. */
export class ListSnapshots {
  readonly #limit: number;
  readonly #snapshots = new Map<string, Snapshot>();
  #last = 0;

  constructor(limit = 100) {
    this.#limit = limit;
  }

  keep(snapshot: Snapshot): string {
    this.#last += 1;
    const id = String(this.#last);
    this.#snapshots.set(id, snapshot);
    const oldest = this.#snapshots.keys().next().value;
    if (this.#snapshots.size > this.#limit && oldest !== undefined) this.#snapshots.delete(oldest);
    return id;
  }

  find(id: string): Snapshot | undefined {
    return this.#snapshots.get(id);
  }
}

export interface Snapshot {
  readonly revision: number;
  readonly objects: readonly StoredObject[];
}

const expiredText =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the " +
  "continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with " +
  "the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time " +
  "the first chunk was returned and now may show up in the list.";

/** GET on a collection: `limit`, `continue`, `resourceVersion`, `labelSelector`, `fieldSelector` of the query. */
export function listObjects(
  context: RestContext & { readonly snapshots: ListSnapshots },
  target: RestTarget,
  query: URLSearchParams,
): ListResult {
  const selection = parseSelection(target.definition, query);
  const limit = parseLimit(query.get("limit"));
  const token = query.get("continue") ?? "";
  if (token !== "") return nextPage(context, token, limit);
  checkResourceVersion(context, query);
  const { revision } = context.store;
  return page(context, { revision, objects: selectObjects(context, target, selection) }, { start: 0, limit });
}

export function selectObjects(context: RestContext, target: RestTarget, selection: Selection): StoredObject[] {
  const { definition, namespace } = target;
  const collection = context.store.collection(definition.storage);
  const named = selection.fields.find(({ field, equal }) => field === "metadata.name" && equal);
  if (named !== undefined && (namespace !== "" || !definition.namespaced)) {
    const found = collection.get(namespace, named.value);
    return found !== undefined && isSelected(definition, selection, found.in(definition)) ? [found] : [];
  }
  const all = collection.list(namespace === "" && definition.namespaced ? undefined : namespace);
  if (selection.labels.length === 0 && selection.fields.length === 0) return all;
  return all.filter((stored) =>
    isSelected(definition, selection, definition.convert === undefined ? stored.object : stored.in(definition)),
  );
}

function page(
  context: { readonly snapshots: ListSnapshots },
  { revision, objects }: Snapshot,
  { start, limit }: { readonly start: number; readonly limit: number },
): ListResult {
  if (limit === 0 || objects.length - start <= limit) {
    return { revision, objects: start === 0 ? objects : objects.slice(start), continueToken: "", remaining: undefined };
  }
  const end = start + limit;
  const id = context.snapshots.keep({ revision, objects });
  const continueToken = Buffer.from(JSON.stringify({ rv: revision, list: id, start: end })).toString("base64url");
  return { revision, objects: objects.slice(start, end), continueToken, remaining: objects.length - end };
}

function nextPage(
  context: RestContext & { readonly snapshots: ListSnapshots },
  token: string,
  limit: number,
): ListResult {
  const { list, start } = parseContinueToken(token);
  const snapshot = context.snapshots.find(list);
  if (snapshot === undefined || snapshot.revision < context.store.compacted) throw expired(expiredText);
  return page(context, snapshot, { start, limit });
}

function parseContinueToken(token: string): { readonly list: string; readonly start: number } {
  try {
    const value = parseJson(Buffer.from(token, "base64url").toString()) as Record<string, unknown>;
    const { list, start } = value;
    if (typeof list === "string" && typeof start === "number") return { list, start };
  } catch {
    // Anything that is no token of ours is answered below.
  }
  throw badRequest("invalid continue token: continue key is not valid");
}

function parseLimit(text: string | null): number {
  if (text === null || text === "") return 0;
  const limit = Number(text);
  if (!Number.isSafeInteger(limit)) {
    throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  }
  return Math.max(0, limit);
}

function checkResourceVersion(context: RestContext, query: URLSearchParams): void {
  const text = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  const problem = matchProblem(text, match);
  if (problem !== undefined) {
    throw invalid({ group: "meta.k8s.io", kind: "ListOptions", plural: "ListOptions" }, "", [problem]);
  }
  if (text === "") return;
  const revision = parseRevision(text);
  const { revision: current, compacted } = context.store;
  if (revision > current) throw tooLarge(revision, current);
  // Old states are not kept: only the present one can be had exactly.
  if (match === "Exact" && revision !== current) {
    throw expired(
      `The resourceVersion for the provided list is too old. (${revision} < ${Math.max(current, compacted)})`,
    );
  }
}

function matchProblem(version: string, match: string): FieldError | undefined {
  const field = "resourceVersionMatch";
  if (match === "") return undefined;
  if (version === "")
    return forbiddenField(field, "resourceVersionMatch is forbidden unless resourceVersion is provided");
  if (!["Exact", "NotOlderThan"].includes(match)) return unsupportedField(field, match, ["Exact", "NotOlderThan", ""]);
  if (match !== "Exact" || version !== "0") return undefined;
  return forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
}

/** Throws 400 for anything but an unsigned number. */
export function parseRevision(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ` +
      `${JSON.stringify(text)}: invalid syntax`,
  );
}

function tooLarge(requested: number, current: number): StatusError {
  return new StatusError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}
