import { definesTags } from "../../document/source.ts";
import type { Reference } from "../../syntax/expression.ts";
import type { Cell } from "../../value/cell.ts";
import type { Value } from "../../value/value.ts";
import type { DocumentRun, Environment } from "../environment.ts";
import { EvaluationFailure, failLocally } from "../failure.ts";
import { force, valueOf } from "../force.ts";
import { walk } from "./walk.ts";

/** What `tag::path` names, without evaluating below it. */
export function resolveTag({ tag, path }: Reference, { document }: Environment): Value {
  const name = tag.replaceAll(".", ":");
  const number = /^doc:(-?[0-9]+)$/.exec(name)?.[1];
  if (number !== undefined) return resolveDocument({ tag, path }, Number(number), document);
  defineTags(document.root);
  const exact = document.tags.get(name);
  if (path.length === 0) return exact === undefined ? wholeBelow(name, document) : valueOf(exact, tag);
  const found = exact === undefined ? undefined : tryPath(exact, tag, path);
  if (found !== undefined) return found.value;
  return pathBelow(name, path, document) ?? failLocally(`'${tag}::${path.join(".")}' not found`);
}

function resolveDocument({ tag, path }: Omit<Reference, "kind">, index: number, document: DocumentRun): Value {
  if (index === 0 && path.length === 0) return failLocally("no reference to actual document possible");
  const cell = index === 0 ? document.root : document.tags.document(index);
  return cell === undefined ? failLocally(`tag '${tag}' not found`) : walk(valueOf(cell, tag), path, 0);
}

function wholeBelow(name: string, { tags }: DocumentRun): Value {
  const candidates = tags.below(name);
  const [only] = candidates;
  if (only === undefined) return failLocally(`tag '${name}' not found`);
  if (candidates.length === 1) return valueOf(only.cell, only.name);
  return failLocally(`found multiple tags for '${name}': ${candidates.map((tag) => tag.name).join(", ")}`);
}

/** The only tag with fewest components that has the path. */
function pathBelow(name: string, path: readonly string[], { tags }: DocumentRun): Value | undefined {
  const candidates = tags.below(name);
  if (candidates.length === 0 && tags.get(name) === undefined) return failLocally(`tag '${name}' not found`);
  const hits: { readonly name: string; readonly value: Value }[] = [];
  let level = 0;
  for (const candidate of candidates) {
    if (hits.length > 0 && candidate.level > level) break;
    const found = tryPath(candidate.cell, candidate.name, path);
    if (found !== undefined) hits.push({ name: candidate.name, value: found.value });
    ({ level } = candidate);
  }
  if (hits.length > 1) failLocally(`ambiguous tag resolution for '${name}': ${hits.map((hit) => hit.name).join(", ")}`);
  return hits[0]?.value;
}

function tryPath(cell: Cell, name: string, path: readonly string[]): { readonly value: Value } | undefined {
  const start = valueOf(cell, name);
  try {
    return { value: walk(start, path, 0) };
  } catch (error) {
    if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
    return undefined;
  }
}

/** Makes the nodes below, as far as tags can come from them: a tag may stand behind its use. */
function defineTags(cell: Cell | undefined): void {
  if (cell?.source === undefined || !definesTags(cell.source)) return;
  force(cell);
  const { value } = cell;
  if (typeof value !== "object" || (value?.kind !== "map" && value?.kind !== "list") || value.isDeep) return;
  for (const child of value.kind === "map" ? value.cells.values() : value.items) defineTags(child);
}
