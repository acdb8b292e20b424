import { type FunctionMap, type Value, fromPlain, quote, toWellFormed } from "@landscaper/golang";
import { type CreateKey, createKey } from "@landscaper/x509";
import { builtins } from "./builtins/builtins.ts";
import { type Budget, BudgetMeter } from "./exec/budget.ts";
import { compileTemplate } from "./exec/compile.ts";
import type { CompiledTemplate } from "./exec/compiled-template.ts";
import { execute, type MissingKey, type TemplateLookup } from "./exec/exec-state.ts";
import type { Delimiters } from "./parse/lexer.ts";
import { parseTrees } from "./parse/parser.ts";
import { TemplateError } from "./template-error.ts";

export interface TemplateSetOptions {
  /** Functions beside the built-in ones; they win over built-in ones of the same name. */
  readonly functions?: FunctionMap;
  /** What `.x` gives when a map has no x. Default "default": no value, printed `<no value>`. */
  readonly missingKey?: MissingKey;
  readonly delimiters?: Partial<Delimiters>;
  /** Compiled templates by their text, shared between sets with the same functions. */
  readonly cache?: TemplateCache;
}

export interface ExecuteOptions {
  readonly budget?: Budget;
  /**
   * The data is a Value already and used as it is, as in Go: what a template sets in its maps stays there. Default: the
   * data is copied first, which takes about as long as a short template.
   */
  readonly sharesData?: boolean;
  /** Given to functions as CallContext.environment. */
  readonly environment?: unknown;
  /** The clock of date functions; without one they are errors. */
  readonly now?: () => Date;
  /** The source of random functions; without one they are errors. */
  readonly random?: (bytes: number) => Uint8Array;
  /** Bytes that are no UTF-8 stay in the result, as lone surrogates (see libs/golang); by default they become U+FFFD. */
  readonly keepsBytes?: boolean;
  /** Makes the private keys of genPrivateKey and certificates. Default: new ones. Callers replace it to keep results. */
  readonly createKey?: CreateKey;
}

const defaultDelimiters: Delimiters = { left: "{{", right: "}}" };

/** Templates that can call each other by name: one file or many, with all their definitions. */
export class TemplateSet implements TemplateLookup {
  readonly missingKey: MissingKey;
  readonly #functions: FunctionMap;
  readonly #delimiters: Delimiters;
  readonly #cache: TemplateCache | undefined;
  /** What was added; undefined for what was removed. */
  readonly #templates = new Map<string, CompiledTemplate | undefined>();
  /** What this set was copied from, frozen from then on; sets with many templates are copied often. */
  #base: LayeredTemplates | undefined;

  constructor(options: TemplateSetOptions = {}) {
    this.missingKey = options.missingKey ?? "default";
    this.#functions = options.functions ?? {};
    this.#delimiters = {
      left: options.delimiters?.left || defaultDelimiters.left,
      right: options.delimiters?.right || defaultDelimiters.right,
    };
    this.#cache = options.cache;
  }

  /** Adds a text and the definitions in it. Empty definitions do not replace others. Throws TemplateError. */
  parse(name: string, text: string): void {
    for (const template of this.#compile(name, text)) {
      if (!template.isEmpty || this.lookup(template.name) === undefined) this.#templates.set(template.name, template);
    }
  }

  #compile(name: string, text: string): readonly CompiledTemplate[] {
    const key = [name, this.#delimiters.left, this.#delimiters.right, text].join("\0");
    const known = this.#cache?.get(this.#functions, key);
    if (known !== undefined) return known;
    const functions = this.#functions;
    const hasFunction = (word: string): boolean => Object.hasOwn(functions, word) || Object.hasOwn(builtins, word);
    const compiled = guardStack(name, () =>
      [...parseTrees(name, text, { delimiters: this.#delimiters, hasFunction }).values()].map((tree) =>
        compileTemplate(tree, functions),
      ),
    );
    this.#cache?.set(functions, key, compiled);
    return compiled;
  }

  lookup(name: string): CompiledTemplate | undefined {
    const own = this.#templates.get(name);
    return own !== undefined || this.#base === undefined || this.#templates.has(name) ? own : findIn(this.#base, name);
  }

  /** Names of all templates, in no order. */
  get names(): readonly string[] {
    const names = new Set(this.#templates.keys());
    for (let layer = this.#base; layer !== undefined; layer = layer.below) {
      for (const name of layer.templates.keys()) names.add(name);
    }
    return [...names].filter((name) => this.lookup(name) !== undefined);
  }

  /** Forgets the template of this name. */
  remove(name: string): void {
    this.#templates.set(name, undefined);
  }

  /** A copy: what is parsed into it does not change this set. */
  clone(): TemplateSet {
    const options = { missingKey: this.missingKey, functions: this.#functions, delimiters: this.#delimiters };
    const copy = new TemplateSet(this.#cache === undefined ? options : { ...options, cache: this.#cache });
    if (this.#templates.size > 0) {
      this.#base = { templates: new Map(this.#templates), below: this.#base };
      this.#templates.clear();
    }
    copy.#base = this.#base;
    return copy;
  }

  /**
   * Executes the template of this name. `data` is plain data (numbers become float64, see fromPlain) or a Value.
   * Throws TemplateError, and whatever else a function throws that is no FunctionError.
   */
  execute(name: string, data: unknown, options: ExecuteOptions = {}): string {
    const template = this.lookup(name);
    if (template === undefined) {
      throw new TemplateError(`template: no template ${quote(name)}`, {
        kind: "execution",
        position: { templateName: name, line: 0 },
      });
    }
    // What the caller declares to be a Value is not looked at.
    const value = options.sharesData === true ? (data as Value) : guardStack(name, () => toValue(data));
    const meter = new BudgetMeter(options.budget);
    const execution = {
      templates: this,
      surroundings: {
        meter,
        environment: options.environment,
        now: options.now,
        random: options.random,
        createKey: options.createKey ?? createKey,
      },
      template,
      data: value,
      depth: 0,
    };
    const output = meter.content.measure(() => execute(execution));
    return options.keepsBytes === true ? output : toWellFormed(output);
  }
}

/** Templates of sets that this one was copied from, the nearest first. */
interface LayeredTemplates {
  readonly templates: ReadonlyMap<string, CompiledTemplate | undefined>;
  readonly below: LayeredTemplates | undefined;
}

function findIn(layers: LayeredTemplates, name: string): CompiledTemplate | undefined {
  for (let layer: LayeredTemplates | undefined = layers; layer !== undefined; layer = layer.below) {
    const found = layer.templates.get(name);
    if (found !== undefined || layer.templates.has(name)) return found;
  }
  return undefined;
}

function toValue(data: unknown): Value {
  return data === undefined ? undefined : fromPlain(data);
}

/** Recursion deeper than our stack is the template's mistake, not a crash. */
function guardStack<T>(templateName: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TemplateError(`template: ${templateName}: budget exceeded: nested too deeply`, {
      kind: "budget",
      position: { templateName, line: 0 },
    });
  }
}

/** Compiled templates by functions and text; the least recently used ones are dropped. */
export class TemplateCache {
  readonly #maxEntries: number;
  readonly #byFunctions = new WeakMap<FunctionMap, Map<string, readonly CompiledTemplate[]>>();

  constructor(maxEntries = 500) {
    this.#maxEntries = maxEntries;
  }

  get(functions: FunctionMap, key: string): readonly CompiledTemplate[] | undefined {
    const entries = this.#byFunctions.get(functions);
    const found = entries?.get(key);
    if (entries !== undefined && found !== undefined) {
      entries.delete(key);
      entries.set(key, found);
    }
    return found;
  }

  set(functions: FunctionMap, key: string, templates: readonly CompiledTemplate[]): void {
    const entries = this.#byFunctions.get(functions) ?? new Map<string, readonly CompiledTemplate[]>();
    this.#byFunctions.set(functions, entries);
    entries.set(key, templates);
    const oldest = entries.keys().next();
    if (entries.size > this.#maxEntries && oldest.done !== true) entries.delete(oldest.value);
  }
}

/** One template with the definitions in its text. */
export interface Template {
  readonly name: string;
  execute(data: unknown, options?: ExecuteOptions): string;
}

/** Parses one text. Throws TemplateError with Go's message. */
export function parseTemplate(options: TemplateSetOptions & { name: string; text: string }): Template {
  const set = new TemplateSet(options);
  set.parse(options.name, options.text);
  return { name: options.name, execute: (data, executeOptions) => set.execute(options.name, data, executeOptions) };
}
