import type { TemplateValue } from "../../value/value.ts";
import { joinMarkers, type Markers } from "../../document/markers.ts";
import { pathOf, type Environment } from "../environment.ts";

/** What the merges of an expression say about its node; the last one counts. */
export class MergeRecord {
  /** Where what stands beside an insertion looks into stubs; undefined for the path of the node. */
  path: readonly string[] | undefined;
  /** `merge none`: stubs change nothing beside the insertion. */
  isNone = false;
  /** Something was found. */
  isMerged = false;
  /** In a list: one of its insertions has found something at the path of the list. */
  isMergedHere = false;
  /** `merge replace` found something: it stands in place of what is beside it. */
  isReplaced = false;
  keyField: string | undefined;
  /** Of the node that was found. */
  dynamic: TemplateValue | undefined;
  /** That node is marked &dynamic, also where a farther stub has taken the place of its template. */
  isDynamic = false;
  /** Those of the nodes that were found. */
  markers: Markers | undefined;

  /** Merges at the path of the node have found nothing. */
  get isUnfound(): boolean {
    return !this.isMerged && !this.isNone && this.path === undefined;
  }

  addMarkers(markers: Markers | undefined): void {
    this.markers = joinMarkers(this.markers, markers);
  }
}

/** Merges in parts that make a value of their own, such as fields of map literals, say nothing about the node. */
export function withoutRecord(environment: Environment): Environment {
  return environment.record === undefined ? environment : { ...environment, record: undefined };
}

/** What surroundings have where a merge says at which path its node looks into stubs. */
export function elsewhere(path: readonly string[]): Partial<Environment> {
  return { stubPath: pathOf(path), mergePath: undefined, latePath: undefined, isUnmerged: false, isEarly: false };
}

/** The surroundings of what stands beside an insertion, once that is evaluated. */
export function beside(environment: Environment, { path, isNone }: MergeRecord): Environment {
  if (isNone) return { ...environment, isUnmerged: "injecting" };
  return path === undefined ? environment : { ...environment, ...elsewhere(path) };
}
