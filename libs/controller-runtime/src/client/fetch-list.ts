import type { KubeObject, ResourceType } from "@landscaper/api";
import { isGone } from "./api-error.ts";
import { callFor, sendingOf } from "./call.ts";
import type { ListOptions, ObjectList } from "./client-interface.ts";
import type { SizeLimit } from "../foreign/foreign-servers.ts";
import { createListBudget } from "./list-budget.ts";
import type { ListBudget } from "./list-budget.ts";
import { parseList } from "./parse-answer.ts";
import type { ListPage } from "./parse-answer.ts";
import { isAnswerTooLarge } from "./read-answer.ts";
import type { RequestRunner } from "./request-runner.ts";
import { queryString, resourcePath } from "./resource-path.ts";

/** Accept headers for metadata only; a server that does not know them falls back to whole objects. */
export const metadataAccept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const metadataListAccept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/** All pages of a list. The resource version is that of the first page: the snapshot that all pages show. */
export async function fetchList<T extends KubeObject>(
  runner: RequestRunner,
  type: ResourceType<T>,
  options: ListOptions,
): Promise<ObjectList<T>> {
  try {
    return await fetchPages(runner, type, options);
  } catch (error) {
    if (!isGone(error)) throw error;
    // The snapshot was compacted between two pages. One whole list cannot meet that, but that of a foreign server has no limit of memory.
    if (runner.limits !== undefined) return await fetchPages(runner, type, options);
    if (options.limit === undefined) throw error;
    return await fetchPages(runner, type, { ...options, limit: undefined });
  }
}

async function fetchPages<T extends KubeObject>(
  runner: RequestRunner,
  type: ResourceType<T>,
  options: ListOptions,
): Promise<ObjectList<T>> {
  const budget = runner.limits === undefined ? undefined : createListBudget(runner.limits, options.limit);
  const first = await fetchWithin(runner, type, { ...options, budget });
  const { enough = Infinity, reduce } = options;
  // What is left of an object is what the caller of the list expects of it.
  const keep = reduce === undefined ? (item: T) => item : (item: T) => reduce(item) as T;
  const items = first.items.map(keep);
  for (let next = first.next; next !== "" && items.length < enough;) {
    const page = await fetchWithin(runner, type, { ...options, resourceVersion: undefined, next, budget });
    for (const item of page.items) items.push(keep(item));
    next = page.next;
  }
  return { resourceVersion: first.resourceVersion, items };
}

interface PageOptions extends ListOptions {
  /** Token of the page. */
  readonly next?: string | undefined;
  readonly budget?: ListBudget | undefined;
  readonly onSize?: ((bytes: number) => void) | undefined;
}

/** A page, of a foreign server within what is left of the list's budget. Large objects come in smaller pages. */
async function fetchWithin<T extends KubeObject>(
  runner: RequestRunner,
  type: ResourceType<T>,
  { budget, ...options }: PageOptions,
): Promise<ListPage<T>> {
  if (budget === undefined) return await fetchPage(runner, type, options);
  for (;;) {
    budget.beginPage({ place: `GET ${resourcePath(type, { namespace: options.namespace })}`, server: runner.server });
    try {
      const { pageSize: limit, pageLimit } = budget;
      return await fetchPage(runner, type, { ...options, limit, pageLimit, onSize: (bytes) => budget.spend(bytes) });
    } catch (error) {
      if (!isAnswerTooLarge(error) || !budget.shrinkPages()) throw error;
    }
  }
}

async function fetchPage<T extends KubeObject>(
  runner: RequestRunner,
  type: ResourceType<T>,
  options: PageOptions & { readonly pageLimit?: SizeLimit },
): Promise<ListPage<T>> {
  const answer = await runner.run({
    ...callFor("list", type),
    method: "GET",
    path: resourcePath(type, { namespace: options.namespace }),
    query: queryString({
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
      limit: options.limit,
      resourceVersion: options.resourceVersion,
      continue: options.next,
    }),
    ...(options.metadataOnly === true ? { accept: metadataListAccept } : {}),
    ...sendingOf(options),
    limit: options.pageLimit,
    onSize: options.onSize,
  });
  return parseList(answer, type);
}
