import { badInstallations, goodInstallations } from "./samples/installations.ts";
import { badOthers, goodOthers } from "./samples/other-kinds.ts";
import type { BadObject, GoodObject } from "./samples/sample-object.ts";
import { notSkippedObjects, skippedObjects } from "./samples/skip-validation.ts";

export type { BadObject, GoodObject } from "./samples/sample-object.ts";

/**
 * What every API server with our CRDs and admission policies must refuse, and the whole message of its refusal. An object without
 * namespace belongs into any. Each is refused on create, or as replacement of `before`.
 */
export const badObjects: readonly BadObject[] = [...badInstallations, ...badOthers, ...notSkippedObjects];

/** What every API server with our CRDs and admission policies must take and give back unchanged. */
export const goodObjects: readonly GoodObject[] = [...goodInstallations, ...goodOthers, ...skippedObjects];
