import { isDeepStrictEqual } from "node:util";
import type { ComponentVersionOverwrite } from "@landscaper/api";
import type { RepositoryContext } from "@landscaper/ocm";

/** A component version with the repository that it is looked for in. */
export interface ComponentReference {
  readonly componentName: string;
  readonly version: string;
  readonly repositoryContext: RepositoryContext | undefined;
}

type Part = ComponentVersionOverwrite["source"];

/** The order is that of messages. */
const fields = ["repositoryContext", "componentName", "version"] as const;

/**
 * The reference after the overwrites of a Context (docs/reference/components.md#overwrites). An entry fits when every field of its source is that of the
 * reference as it was given, and it counts as a whole: one that sets what an earlier one has set is passed over.
 */
export function overwriteReference(
  reference: ComponentReference,
  overwrites: readonly ComponentVersionOverwrite[],
): ComponentReference {
  let substitution: Part = {};
  for (const entry of overwrites) {
    if (isComplete(substitution)) break;
    if (!fits(entry.source, reference)) continue;
    const isTaken = fields.some((field) => isGiven(entry.substitution[field]) && isGiven(substitution[field]));
    if (!isTaken) substitution = { ...substitution, ...given(entry.substitution) };
  }
  return { ...reference, ...substitution };
}

function isComplete(part: Part): boolean {
  return fields.every((field) => isGiven(part[field]));
}

function fits(source: Part, reference: ComponentReference): boolean {
  return fields.every((field) => !isGiven(source[field]) || isDeepStrictEqual(source[field], reference[field]));
}

/** Absent fields come as empty texts from writers in Go. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function given(part: Part): Part {
  return Object.fromEntries(fields.flatMap((field) => (isGiven(part[field]) ? [[field, part[field]]] : [])));
}

/** What an overwrite has changed, for the condition of the Installation; undefined for nothing. */
export function describeOverwrite(before: ComponentReference, after: ComponentReference): string | undefined {
  const lines = [
    changeText("RepositoryContext", contextText(before.repositoryContext), contextText(after.repositoryContext)),
    changeText("ComponentName", before.componentName, after.componentName),
    changeText("Version", before.version, after.version),
  ];
  if (isDeepStrictEqual(before, after)) return undefined;
  return ["Component reference has been overwritten:", ...lines].join("\n");
}

function changeText(what: string, before: string, after: string): string {
  return before === after ? `${what} has not been overwritten` : `${before} -> ${after}`;
}

function contextText(context: RepositoryContext | undefined): string {
  if (context === undefined) return "(none)";
  const { type, baseUrl, filePath, subPath, componentNameMapping = "urlPath" } = context;
  const place = [baseUrl ?? filePath ?? type, subPath].filter((part) => typeof part === "string" && part !== "");
  return `${withoutUserInfo(place.join("/"))} (${String(componentNameMapping)})`;
}

/** A URL may hold a password. */
function withoutUserInfo(text: string): string {
  return text.replace(/^([a-z]+:\/\/)?[^/@]*@/i, "$1");
}
