import {
  type Blueprint,
  type ImportDefinition,
  type InstallationTemplate,
  suggestName,
  type TargetImport,
} from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import { parameterType } from "../parameter/parameter-type.ts";
import type { ParameterType } from "../parameter/parameter-value.ts";
import type { ResolvedImports } from "../import/resolve-imports.ts";
import { isOfNamespace } from "../import/data-flow.ts";
import { referencedTargets } from "./target-map.ts";

export interface ParentScope {
  readonly definition: Blueprint;
  readonly imports: ResolvedImports;
}

/**
 * Checks that each import of each template is an import of the parent, an export of a sibling, or an object of the namespace ("#NAME"), and prunes data
 * imports of parent imports without a value (core.md §1.2 no. 45, §4.8, §4.19). Throws LandscaperError.
 */
export function connectImports(
  templates: readonly InstallationTemplate[],
  parent: ParentScope,
): InstallationTemplate[] {
  const scope = scopeOf(templates, parent);
  return templates.map((template) => connectTemplate(template, scope));
}

interface Scope {
  readonly exportedData: ReadonlySet<string>;
  readonly exportedTargets: ReadonlySet<string>;
  readonly declared: ReadonlyMap<string, ParameterType>;
  readonly imports: ResolvedImports;
}

function scopeOf(templates: readonly InstallationTemplate[], { definition, imports }: ParentScope): Scope {
  return {
    exportedData: new Set(templates.flatMap(({ exports }) => (exports?.data ?? []).map(({ dataRef }) => dataRef))),
    exportedTargets: new Set(
      templates.flatMap(({ exports }) => (exports?.targets ?? []).flatMap(({ target }) => target ?? [])),
    ),
    declared: new Map(declaredImports(definition.imports ?? [])),
    imports,
  };
}

function declaredImports(definitions: readonly ImportDefinition[]): [string, ParameterType][] {
  return definitions.flatMap((definition) => [
    [definition.name, parameterType(definition, `imports.${definition.name}`)] as [string, ParameterType],
    ...declaredImports(definition.imports ?? []),
  ]);
}

function connectTemplate(template: InstallationTemplate, scope: Scope): InstallationTemplate {
  if (template.imports === undefined) return template;
  const data = (template.imports.data ?? []).filter(({ name, dataRef = "" }) => {
    if (isOfNamespace(dataRef) || scope.exportedData.has(dataRef)) return true;
    if (scope.declared.get(dataRef) !== "data")
      throw unsatisfied(template, {
        name,
        reference: dataRef,
        word: "a data import",
        known: [...scope.exportedData, ...namesOfType(scope, "data")],
      });
    return !scope.imports.unsatisfied.has(dataRef);
  });
  for (const entry of template.imports.targets ?? []) connectTarget(template, entry, scope);
  const pruned = { ...template.imports };
  if (pruned.data !== undefined) pruned.data = data;
  return { ...template, imports: pruned };
}

function connectTarget(template: InstallationTemplate, entry: TargetImport, scope: Scope): void {
  const { name, targetListRef, targetMapRef } = entry;
  for (const reference of referencedTargets(entry)) {
    if (!isOfNamespace(reference) && !scope.exportedTargets.has(reference) && !isParentTarget(reference, scope)) {
      throw unsatisfied(template, {
        name,
        reference,
        word: "a target import",
        known: [...scope.exportedTargets, ...namesOfType(scope, "target")],
      });
    }
  }
  if (targetListRef !== undefined && scope.imports.values[targetListRef]?.type !== "targetList") {
    throw unsatisfied(template, {
      name,
      reference: targetListRef,
      word: "a target list import",
      known: namesOfType(scope, "targetList"),
    });
  }
  if (targetMapRef !== undefined && scope.imports.values[targetMapRef]?.type !== "targetMap") {
    throw unsatisfied(template, {
      name,
      reference: targetMapRef,
      word: "a target map import",
      known: namesOfType(scope, "targetMap"),
    });
  }
}

/** A target import of the parent by name, or an element of a map or list import as name[key] (core.md §3.1). */
function isParentTarget(reference: string, { imports }: Scope): boolean {
  const single = Object.hasOwn(imports.values, reference) ? imports.values[reference] : undefined;
  if (single !== undefined) return single.type === "target";
  const [, name = "", key = ""] = /^(.+)\[([^[\]]+)\]$/.exec(reference) ?? [];
  const collection = Object.hasOwn(imports.values, name) ? imports.values[name] : undefined;
  if (collection?.type === "targetMap") return Object.hasOwn(collection.targets, key);
  return collection?.type === "targetList" && /^\d+$/.test(key) && Number(key) < collection.targets.length;
}

function namesOfType({ declared }: Scope, wanted: ParameterType): readonly string[] {
  return [...declared].flatMap(([name, type]) => (type === wanted ? [name] : []));
}

interface Unsatisfied {
  readonly name: string;
  readonly reference: string;
  readonly word: string;
  /** Names that the reference could mean. */
  readonly known: readonly string[];
}

function unsatisfied(template: InstallationTemplate, { name, reference, word, known }: Unsatisfied): Error {
  const meant = suggestName(reference, known);
  return blueprintError(
    "ImportNotSatisfied",
    `subinstallation "${template.name}": import "${name}": "${reference}" is neither ${word} of the blueprint nor an export of another subinstallation${meant}`,
  );
}
