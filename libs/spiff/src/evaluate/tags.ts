import type { Markers } from "../document/markers.ts";
import type { Cell } from "../value/cell.ts";
import type { DocumentRun } from "./environment.ts";
import { failLocally } from "./failure.ts";

/** Makes a node known by its tags; tags are set when the node is made, before anything is evaluated. */
export function registerTags(markers: Markers, cell: Cell, document: DocumentRun): void {
  for (const { name } of markers.tags) if (!document.tags.has(name)) document.tags.set(name, cell);
}

/** The node of a tag; a name without its first components also finds `lib:name`. */
export function findTag(document: DocumentRun, tag: string): Cell {
  const exact = document.tags.get(tag);
  if (exact !== undefined) return exact;
  const matches = [...document.tags].filter(([name]) => name.endsWith(`:${tag}`));
  const depth = Math.min(...matches.map(([name]) => name.split(":").length));
  const nearest = matches.filter(([name]) => name.split(":").length === depth);
  const [only] = nearest;
  if (only === undefined) failLocally(`tag '${tag}' not found`);
  if (nearest.length > 1) failLocally(`ambiguous tag '${tag}': ${nearest.map(([name]) => name).join(", ")}`);
  return only[1];
}
