import { type GoMap, type Value, isMap, isSlice } from "@landscaper/golang";
import { isSameJson, jsonType, numberOf } from "./json-values.ts";
import { type PlacedSchema, type SchemaDocuments, SchemaError } from "./schema-documents.ts";
import { type Draft, isReferenceOnly, referencesOf } from "./schema-positions.ts";
import { below, type Failure, joinFailures, membersOf, quoted, referenceFailure } from "./schema-failure.ts";
import { formatProblem } from "./formats.ts";
import { definedOnly, type Instance, type KeywordSchema, newInstance, type ScopedSchema } from "./schema-instance.ts";
import { validateArray } from "./validate-array.ts";
import { validateObject } from "./validate-object.ts";
import { numberFailures, stringFailures } from "./validate-scalar.ts";

function hasKeywords(scoped: ScopedSchema): scoped is KeywordSchema {
  return isMap(scoped.schema);
}

export interface ValidatorOptions {
  readonly documents: SchemaDocuments;
  /** Formats are looked at in all drafts; otherwise in those up to 7. */
  readonly assertsFormats?: boolean;
  /** Checks of a value by a schema at all. Default 1,000,000, about a second; Helm has no bound. */
  readonly maxChecks?: number;
}

/** Schemas that are checked within each other; Helm has no bound. */
const maxDepth = 500;

/** Checks values by schemas, as the library that Helm uses. Throws SchemaError where a reference leads nowhere. */
export class Validator {
  readonly #options: ValidatorOptions;
  #depth = 0;
  #checks = 0;

  constructor(options: ValidatorOptions) {
    this.#options = options;
  }

  /** All that is wrong with a value, in the order in which it is found. */
  validate(value: Value, placed: PlacedSchema): readonly Failure[] {
    const failure = this.check(newInstance(value, ""), { ...placed, scope: [placed.resource], references: [] });
    return failure === undefined ? [] : membersOf(failure);
  }

  /** Why a value does not fit a schema; undefined if it does. */
  check(instance: Instance, schema: ScopedSchema): Failure | undefined {
    const { maxChecks = 1_000_000 } = this.#options;
    if (++this.#checks > maxChecks) {
      throw new SchemaError(`the schema needs more than ${maxChecks} checks for these values`);
    }
    if (++this.#depth > maxDepth) throw new SchemaError(`schemas and values are nested deeper than ${maxDepth}`);
    const failure = joinFailures(instance.at, this.#failures(instance, this.#enter(schema)));
    this.#depth--;
    return failure;
  }

  /** A schema with an identity resolves its references against itself. */
  #enter(scoped: ScopedSchema): ScopedSchema {
    const resource = this.#options.documents.resourceOf(scoped.schema);
    if (resource === undefined || resource === scoped.resource) return scoped;
    return { ...scoped, resource, scope: [...scoped.scope, resource] };
  }

  /** The same for a part of a schema. */
  checkPart(instance: Instance, schema: ScopedSchema, part: Value): Failure | undefined {
    return this.check(instance, { ...schema, schema: part });
  }

  #failures(instance: Instance, scoped: ScopedSchema): readonly Failure[] {
    const { value, at } = instance;
    const single = (text: string): Failure[] => [{ at, text, causes: [] }];
    if (scoped.schema === false) return single("false schema");
    if (!hasKeywords(scoped)) return [];
    const { schema } = scoped;
    const { draft } = scoped.resource;
    if (isReferenceOnly(schema, draft)) {
      // Helm's library looks at nothing else beside a reference, but at this.
      const constant = constFailure(value, schema, draft);
      return constant === undefined ? this.#reference(instance, scoped, "$ref") : single(constant);
    }
    // What is of another type or none of the values is not looked at any further.
    const first =
      typeFailure(value, schema) ??
      constFailure(value, schema, draft) ??
      enumFailure(value, schema) ??
      this.#formatFailure(value, scoped);
    if (first !== undefined) return single(first);
    const failures: Failure[] = [];
    for (const { keyword } of referencesOf(schema, draft)) failures.push(...this.#reference(instance, scoped, keyword));
    if (isMap(value)) failures.push(...validateObject(this, instance, scoped));
    else if (isSlice(value)) failures.push(...validateArray(this, instance, scoped));
    else if (typeof value === "string") failures.push(...stringFailures({ value, at }, schema));
    else {
      const number = numberOf(value);
      if (number !== undefined) failures.push(...numberFailures({ value: number, at }, schema, draft));
    }
    failures.push(...this.#combinations(instance, scoped));
    if (draft >= 2019) failures.push(...this.#unevaluated(instance, scoped));
    return failures;
  }

  #formatFailure(value: Value, { schema, resource }: ScopedSchema): string | undefined {
    const format = isMap(schema) ? schema.get("format") : undefined;
    if (typeof format !== "string" || typeof value !== "string") return undefined;
    if (resource.draft >= 2019 && this.#options.assertsFormats !== true) return undefined;
    const problem = formatProblem(format, value);
    return problem === undefined ? undefined : `${quoted(value)} is not valid ${format}: ${problem}`;
  }

  #reference(instance: Instance, scoped: ScopedSchema, keyword: string): readonly Failure[] {
    const reference = isMap(scoped.schema) ? scoped.schema.get(keyword) : undefined;
    if (typeof reference !== "string") return [];
    const target = this.#target(reference, scoped, keyword);
    if (scoped.references.includes(target.schema) && isMap(target.schema)) {
      return [{ at: instance.at, text: `${quoted(reference)} refers to a schema that refers to it`, causes: [] }];
    }
    const failure = this.check(instance, {
      ...target,
      scope: scoped.scope.at(-1) === target.resource ? scoped.scope : [...scoped.scope, target.resource],
      references: [...scoped.references, scoped.schema],
    });
    return failure === undefined ? [] : [referenceFailure(instance.at, failure)];
  }

  /** Dynamic references go to the outermost schema of their kind on the way. */
  #target(reference: string, { resource, scope }: ScopedSchema, keyword: string): PlacedSchema {
    const { documents } = this.#options;
    const target = documents.resolve(reference, resource);
    if (!isMap(target.schema)) return target;
    if (keyword === "$dynamicRef") {
      const name = target.schema.get("$dynamicAnchor");
      if (typeof name !== "string" || reference.slice(reference.indexOf("#") + 1) !== name) return target;
      for (const outer of scope) {
        const found = documents.dynamicAnchor(outer, name);
        if (found !== undefined) return found;
      }
    }
    if (keyword === "$recursiveRef" && target.schema.get("$recursiveAnchor") === true) {
      const outer = scope.find(({ root }) => isMap(root) && root.get("$recursiveAnchor") === true);
      if (outer !== undefined) return { schema: outer.root, resource: outer };
    }
    return target;
  }

  #combinations(instance: Instance, scoped: KeywordSchema): Failure[] {
    const { at } = instance;
    const { schema } = scoped;
    const failures: Failure[] = [];
    const fail = (text: string, causes: readonly Failure[] = []): number => failures.push({ at, text, causes });
    const branches = (keyword: string): (Failure | undefined)[] => {
      const parts = schema.get(keyword);
      return isSlice(parts) ? parts.map((part) => this.#branch(instance, scoped, part)) : [];
    };
    const not = schema.get("not");
    if (not !== undefined && this.checkPart(newInstance(instance.value, at), scoped, not) === undefined)
      fail("'not' failed");
    const all = branches("allOf").filter((failure) => failure !== undefined);
    if (all.length > 0) fail("'allOf' failed", all);
    const any = branches("anyOf");
    if (any.length > 0 && !any.includes(undefined)) fail("'anyOf' failed", definedOnly(any));
    const one = branches("oneOf");
    const matched = one.flatMap((failure, index) => (failure === undefined ? [index] : []));
    if (one.length > 0 && matched.length === 0) fail("'oneOf' failed, none matched", definedOnly(one));
    else if (matched.length > 1) fail(`'oneOf' failed, subschemas ${matched.slice(0, 2).join(", ")} matched`);
    if (scoped.resource.draft >= 7) failures.push(...this.#condition(instance, scoped));
    return failures;
  }

  #condition(instance: Instance, scoped: KeywordSchema): readonly Failure[] {
    const condition = scoped.schema.get("if");
    if (condition === undefined) return [];
    const holds = this.#branch(instance, scoped, condition) === undefined;
    const part = scoped.schema.get(holds ? "then" : "else");
    const failure = part === undefined ? undefined : this.checkPart(instance, scoped, part);
    return failure === undefined ? [] : [failure];
  }

  /** A schema whose evaluations count only if the value fits. */
  #branch(instance: Instance, scoped: ScopedSchema, part: Value): Failure | undefined {
    const trial = newInstance(instance.value, instance.at);
    const failure = this.checkPart(trial, scoped, part);
    if (failure === undefined) {
      instance.evaluated.addAll(trial.evaluated);
    }
    return failure;
  }

  #unevaluated(instance: Instance, scoped: KeywordSchema): Failure[] {
    const { value, at, evaluated } = instance;
    const failures: (Failure | undefined)[] = [];
    const properties = scoped.schema.get("unevaluatedProperties");
    if (properties !== undefined && isMap(value)) {
      for (const name of [...value.keys()].toSorted()) {
        if (evaluated.has(name)) continue;
        failures.push(this.checkMember(value.get(name), { at, name, scoped, schema: properties }));
        evaluated.add(name);
      }
    }
    const items = scoped.schema.get("unevaluatedItems");
    if (items !== undefined && isSlice(value)) {
      for (const [index, item] of value.entries()) {
        if (evaluated.has(index)) continue;
        failures.push(this.checkMember(item, { at, name: index, scoped, schema: items }));
        evaluated.add(index);
      }
    }
    return definedOnly(failures);
  }

  /** Checks a property or an item. */
  checkMember(
    value: Value | undefined,
    { at, name, scoped, schema }: { at: string; name: string | number; scoped: ScopedSchema; schema: Value },
  ): Failure | undefined {
    return this.check(newInstance(value ?? null, below(at, name)), { ...scoped, schema, references: [] });
  }
}

const typeOrder = ["null", "boolean", "number", "integer", "string", "array", "object"];

function typeFailure(value: Value, schema: GoMap): string | undefined {
  const wanted = schema.get("type");
  if (wanted === undefined) return undefined;
  const types: readonly Value[] = isSlice(wanted) ? wanted : [wanted];
  const found = jsonType(value);
  if (types.includes(found)) return undefined;
  if (types.includes("integer") && Number.isInteger(numberOf(value))) return undefined;
  return `got ${found}, want ${typeOrder.filter((type) => types.includes(type)).join(" or ")}`;
}

function constFailure(value: Value, schema: GoMap, draft: Draft): string | undefined {
  const constant = schema.get("const");
  if (draft < 6 || constant === undefined || isSameJson(value, constant)) return undefined;
  return isScalar(constant) ? `value must be ${scalarText(constant)}` : "'const' failed";
}

function enumFailure(value: Value, schema: GoMap): string | undefined {
  const choices = schema.get("enum");
  if (!isSlice(choices) || choices.some((choice) => isSameJson(value, choice))) return undefined;
  if (!choices.every(isScalar)) return "'enum' failed";
  const texts = choices.map(scalarText);
  return texts.length === 1 ? `value must be ${texts.join("")}` : `value must be one of ${texts.join(", ")}`;
}

function isScalar(value: Value): boolean {
  return !isMap(value) && !isSlice(value);
}

function scalarText(value: Value): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return String(value);
  const number = numberOf(value);
  return number === undefined ? "<nil>" : String(number);
}
