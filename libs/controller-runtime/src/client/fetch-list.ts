import type { KubeObject, ResourceType } from "@landscaper/api";
import { isGone } from "./api-error.ts";
import { callFor, sendingOf } from "./call.ts";
import type { ListOptions, ObjectList } from "./client-interface.ts";
import { parseList } from "./parse-answer.ts";
import type { ListPage } from "./parse-answer.ts";
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
    // The snapshot was compacted between two pages: one whole list cannot meet that.
    if (!isGone(error) || options.limit === undefined) throw error;
    return fetchPages(runner, type, { ...options, limit: undefined });
  }
}

async function fetchPages<T extends KubeObject>(
  runner: RequestRunner,
  type: ResourceType<T>,
  options: ListOptions,
): Promise<ObjectList<T>> {
  const first = await fetchPage(runner, type, options);
  const items = first.items;
  for (let next = first.next; next !== "";) {
    const page = await fetchPage(runner, type, { ...options, resourceVersion: undefined, next });
    for (const item of page.items) items.push(item);
    next = page.next;
  }
  return { resourceVersion: first.resourceVersion, items };
}

async function fetchPage<T extends KubeObject>(
  runner: RequestRunner,
  type: ResourceType<T>,
  options: ListOptions & { readonly next?: string },
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
  });
  return parseList(answer, type);
}
