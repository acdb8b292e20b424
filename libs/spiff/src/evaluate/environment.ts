import type { CreateKey } from "@landscaper/x509";
import type { Cell } from "../value/cell.ts";
import type { MapValue, Value } from "../value/value.ts";
import type { FunctionTable } from "../functions/function-table.ts";
import type { Budget } from "./budget.ts";
import type { Engine } from "./engine.ts";
import type { Nesting } from "./force.ts";
import type { MergeRecord } from "./merging/merge-record.ts";
import type { TagTable } from "./references/tags.ts";
import type { UnresolvedNode } from "../spiff-error.ts";
import type { SourceBuilder } from "../document/build-source.ts";

/** Names around an expression, innermost first: maps of the document, or bindings of lambdas and scope literals. */
export type Scope =
  | { readonly kind: "map"; readonly map: MapValue; readonly parent: Scope | undefined }
  | {
      readonly kind: "bindings";
      readonly names: ReadonlyMap<string, Cell>;
      readonly parent: Scope | undefined;
      /** Of a call or an instance: where the lambda or the template was defined. */
      readonly definition?: Definition | undefined;
    };

/** Where a lambda or a template was defined: the names that `_.x` can reach in it. */
export interface Definition {
  readonly scope: Scope | undefined;
}

/** The definition that `_.x` means here: of the innermost call or instance. */
export function definitionAround(environment: Environment): Definition | undefined {
  for (let { scope } = environment; scope !== undefined; scope = scope.parent) {
    if (scope.kind === "bindings" && scope.definition !== undefined) return scope.definition;
  }
  return undefined;
}

/** What is defined within a call or an instance has the definition of that. */
export function definitionAt(environment: Environment): Definition {
  return definitionAround(environment) ?? { scope: environment.scope };
}

/** The innermost map around a node. */
export function homeOf(environment: Environment): MapValue | undefined {
  for (let scope = environment.scope; scope !== undefined; scope = scope.parent) {
    if (scope.kind === "map") return scope.map;
  }
  return undefined;
}

/** Where a node stands, from the leaf upwards. */
export interface Path {
  readonly parent: Path | undefined;
  readonly name: string;
  /** Of the branch of a control: the control, in whose place messages name the branch. */
  place?: { readonly path: Path | undefined } | undefined;
}

/** One document in evaluation. */
export interface DocumentRun {
  /** How messages name it. */
  readonly name: string;
  /** Set once the root is made. */
  root: Cell | undefined;
  /** Evaluated stubs, nearest first. */
  readonly stubs: readonly Value[];
  /** What merge() evaluates stands in another document: that one, and the names around the call. */
  readonly outer?: DocumentRun | undefined;
  readonly outerScope?: Scope | undefined;
  /** Bound values, visible outside of the document. */
  readonly bindings: MapValue;
  readonly budget: Budget;
  readonly engine: Engine;
  readonly nesting: Nesting;
  readonly functions: FunctionTable;
  readonly sources: SourceBuilder;
  readonly tags: TagTable;
  readonly features: ReadonlySet<string>;
  /** Collects nodes without a value, which then stay expressions; undefined: they are an error. */
  readonly unresolved: UnresolvedNode[] | undefined;
  readonly host: Host;
}

/** Files below a root. Paths are relative to it. */
export interface HostFiles {
  has(path: string): boolean;
  readText(path: string): string;
  /** The entries of a folder, "." for the root, sorted by name. Only asked for folders that there are. */
  readDir(path: string): readonly { readonly name: string; readonly isDirectory: boolean }[];
}

/** What the caller lends to expressions; everything else is out of reach. */
export interface Host {
  readonly files?: HostFiles | undefined;
  readonly random?: ((count: number) => Uint8Array) | undefined;
  /** The time of day. */
  readonly clock?: (() => Date) | undefined;
  /** Makes private keys. */
  readonly createKey?: CreateKey | undefined;
}

/** Surroundings of one node. */
export interface Environment {
  readonly document: DocumentRun;
  readonly scope: Scope | undefined;
  readonly path: Path | undefined;
  /** Where the node looks into stubs; undefined for the root. */
  readonly stubPath: Path | undefined;
  /** Where merges look into stubs, when that is not `stubPath`: where their list entry stood before its key was known. */
  readonly mergePath?: Path | undefined;
  /** Where what stands beside an insertion looks into stubs, when the list entry around has yet another key by then. */
  readonly latePath?: Path | undefined;
  /** Of a branch: where the outermost control around it looks into stubs. */
  readonly controlPath?: Path | undefined;
  /** A branch, or below one: when expressions in its lists have values, the lists stand in place of the control. */
  readonly isInBranch?: boolean | undefined;
  /** Stubs change nothing here: entries of plain lists, and what stands below `merge none`, where they still inject fields. */
  readonly isUnmerged?: boolean | "injecting" | undefined;
  /**
   * The places of the entries of a list around are not the final ones: stubs change plain values and merges now, expressions later;
   * with "preferring", only what `prefer` gives.
   */
  readonly isEarly?: boolean | "preferring" | undefined;
  /** The body of a loop, unless it is a template: all merges in it are plain ones. */
  readonly isBody?: boolean | undefined;
  /** Instances of templates around the node. */
  readonly instances?: number | undefined;
  /** That of the projection around. */
  readonly element?: Value | undefined;
  /** Takes down what merges find, in expressions that have some. */
  readonly record?: MergeRecord | undefined;
}

export function pathNames(path: Path | undefined): string[] {
  const names: string[] = [];
  for (let step = path; step !== undefined; step = step.parent) names.unshift(step.name);
  return names;
}

/** The path of a node in the result, as messages name it: branches stand in place of their controls. */
export function placeNames(path: Path | undefined): string[] {
  if (path === undefined) return [];
  const { parent, name, place } = path;
  return place === undefined ? [...placeNames(parent), name] : placeNames(place.path);
}

/** Whether stubs can change nodes of these surroundings. */
export function isMerged({ document, isUnmerged }: Environment): boolean {
  return document.stubs.length > 0 && (isUnmerged ?? false) === false;
}

/** Whether stubs can add nodes there. */
export function isInjecting({ document, isUnmerged }: Environment): boolean {
  return document.stubs.length > 0 && isUnmerged !== true;
}

/** The surroundings of a node below; `step` is its name in stubs. */
export function childOf(environment: Environment, name: string, step: string): Environment {
  const path = { parent: environment.path, name };
  const isSame = step === name && environment.stubPath === environment.path;
  const stubPath = isSame ? path : { parent: environment.stubPath, name: step };
  const { document, scope, isUnmerged, isEarly, isInBranch, instances } = environment;
  const mergePath = environment.mergePath && { parent: environment.mergePath, name: step };
  const latePath = environment.latePath && { parent: environment.latePath, name: step };
  return { document, scope, path, stubPath, mergePath, latePath, isInBranch, isUnmerged, isEarly, instances };
}

/** A path from its names. */
export function pathOf(names: readonly string[]): Path | undefined {
  let path: Path | undefined;
  for (const name of names) path = { parent: path, name };
  return path;
}

/** The surroundings with more names bound. */
export function withBindings(environment: Environment, names: ReadonlyMap<string, Cell>): Environment {
  return { ...environment, scope: { kind: "bindings", names, parent: environment.scope } };
}
