import { readFileSync } from "node:fs";
import { createParser } from "@landscaper/api";
import { parse } from "yaml";
import { checkPlaceholders } from "./placeholders.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An object by which the work of a deployer shows; in the cluster that Targets give access to. */
export interface Effect {
  readonly apiVersion: string;
  /** Plural, as in URLs. */
  readonly resource: string;
  readonly name: string;
  /** Default: `{{namespace}}`. */
  readonly namespace?: string;
  /** Fields that it has when the work is done. */
  readonly contains?: Fields;
  /** Paths of fields that must not exist when the work is done, such as "data.key". */
  readonly without?: readonly string[];
}

/** An object to create in the cluster that Targets give access to. */
export interface Release {
  /** Plural, as in URLs. */
  readonly resource: string;
  readonly object: Fields & { readonly apiVersion: string; readonly metadata: Fields };
}

/** An object that another deployer has left in the cluster that Targets give access to. `{gzippedJSON: VALUE}` in it stands for the base64 of the gzipped JSON. */
export interface LeftObject extends Release {
  /** Field manager of the other deployer. */
  readonly manager: string;
}

/** A deployer that worked on such items before, and the state that it leaves after a successful job of `items.inherits`. */
export interface Predecessor {
  /** `status.deployer` of its items. */
  readonly deployer: { readonly identity: string; readonly name: string; readonly version: string };
  /** Further fields of the status. */
  readonly status?: Fields;
  readonly objects?: readonly LeftObject[];
}

/** A configuration of the deployer's items, and what is known of it. */
export interface Ingredient {
  readonly config: Fields;
  /** `spec.timeout` of its items. */
  readonly timeout?: string;
  readonly effects?: readonly Effect[];
  /** What shows only at the end of the work, after everything that it waits for. */
  readonly lateEffects?: readonly Effect[];
  /** An object that lets work come to its end that waits or fails without it. */
  readonly release?: Release;
  /** What is exported, whole. */
  readonly exports?: Fields;
}

export const ingredientNames = [
  "succeeds",
  "changed",
  "slow",
  "waits",
  "invalid",
  "fails",
  "mends",
  "exports",
  "exportsNothing",
  "inherits",
] as const;
export type IngredientName = (typeof ingredientNames)[number];

/** What not every deployer can do, and why a deployer may do without. */
export const abilities = {
  timeout: "it leaves deadlines to the Landscaper",
  updateOnChangeOnly: "it works in every job",
  testReconcile: "it does not know the annotation",
  errorHistory: "it keeps only the last error",
  accessData: "it opens no Target",
  clusterAccess: "it hands access data on and does not use it itself",
  uninstall: "it has nothing to uninstall: what it makes goes with the item",
  retries: "its errors are all final",
  predecessors: "no other deployer has worked on its items",
} as const;
export type AbilityName = keyof typeof abilities;
export const isAbility = (text: string): text is AbilityName => Object.hasOwn(abilities, text);

interface Marks {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface TargetProfile extends Marks {
  readonly type: string;
  readonly config: Fields;
  /** Access data that nobody can use; may quote `{{sentinel}}`. */
  readonly unusable?: Fields;
  /** What a Target has that belongs to another instance of this type: another name, other labels, other annotations. */
  readonly otherwise?: Marks & { readonly name?: string };
}

/** What the kit has to know of a deployer. */
export interface Profile {
  /** `spec.type` of its items. */
  readonly type: string;
  /** Without it items have no Target. */
  readonly target?: TargetProfile;
  readonly seconds: {
    /** Until a job is picked up. */
    readonly pickup: number;
    /** Until a job has ended that nothing holds up. */
    readonly work: number;
    /** For how long nothing must happen where nothing may. */
    readonly quiet: number;
    /** By how much a deadline may be missed. */
    readonly tolerance: number;
  };
  readonly lacks: readonly AbilityName[];
  readonly items: { readonly succeeds: Ingredient } & { readonly [name in IngredientName]?: Ingredient };
  /** Deployers whose items it takes over. */
  readonly predecessors?: readonly Predecessor[];
  /** Where deployers prove by Leases that they live. */
  readonly leases?: { readonly namespace: string };
  /** Ends the deployer's process in the middle of its work and starts it again. */
  readonly restart?: { readonly command: readonly string[] };
}

const text = { type: "string", minLength: 1 };
const anyObject = { type: "object" };
const shape = (properties: Fields, required: readonly string[] = []): Fields => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const listOf = (items: Fields): Fields => ({ type: "array", items });
const texts = { type: "object", additionalProperties: { type: "string" } };
const marks = { labels: texts, annotations: texts };
const seconds = (byDefault: number): Fields => ({ type: "number", minimum: 0.1, default: byDefault });

const effect = shape(
  { apiVersion: text, resource: text, name: text, namespace: text, contains: anyObject, without: listOf(text) },
  ["apiVersion", "resource", "name"],
);
const someObject = { type: "object", required: ["apiVersion", "metadata"] };
const predecessor = shape(
  {
    deployer: shape({ identity: text, name: text, version: text }, ["identity", "name", "version"]),
    status: anyObject,
    objects: listOf(shape({ manager: text, resource: text, object: someObject }, ["manager", "resource", "object"])),
  },
  ["deployer"],
);
const ingredient = shape(
  {
    config: anyObject,
    timeout: text,
    effects: listOf(effect),
    lateEffects: listOf(effect),
    release: shape({ resource: text, object: someObject }, ["resource", "object"]),
    exports: anyObject,
  },
  ["config"],
);
const schema = shape(
  {
    type: text,
    target: shape(
      { type: text, config: anyObject, unusable: anyObject, ...marks, otherwise: shape({ name: text, ...marks }) },
      ["type", "config"],
    ),
    seconds: {
      ...shape({ pickup: seconds(10), work: seconds(30), quiet: seconds(2), tolerance: seconds(2) }),
      default: {},
    },
    lacks: { ...listOf({ enum: Object.keys(abilities) }), default: [] },
    items: shape(Object.fromEntries(ingredientNames.map((name) => [name, ingredient])), ["succeeds"]),
    predecessors: listOf(predecessor),
    leases: shape({ namespace: text }, ["namespace"]),
    restart: shape({ command: { type: "array", items: text, minItems: 1 } }, ["command"]),
  },
  ["type", "items"],
);
const parseFields = createParser<Profile>(schema, "profile");

/** Throws an error that names place, field, expectation and finding. */
export function parseProfile(source: string, where: string): Profile {
  let value: unknown;
  try {
    value = parse(source, { merge: true });
  } catch (error) {
    throw new Error(`${where}: expected YAML or JSON: ${error instanceof Error ? error.message : "no message"}`, {
      cause: error,
    });
  }
  const profile = parseFields(value, where);
  try {
    checkPlaceholders(profile);
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : "bad placeholder"}`, { cause: error });
  }
  return profile;
}

/** Reads a profile from a file in YAML or JSON. */
export function loadProfile(file: string): Profile {
  let source: string;
  try {
    source = readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file}: expected a profile, found no readable file`, { cause: error });
  }
  return parseProfile(source, file);
}
