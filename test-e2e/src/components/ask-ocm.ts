// What the real ocm makes of a constructor file, and of the component that our command makes of it.
import { existsSync, readFileSync } from "node:fs";
import {
  comparableComponent,
  compareDocument,
  identityOf,
  type ComparableComponent,
  type LocalContent,
} from "./comparable-component.ts";
import { caseComponent, type ConstructorCase } from "./constructor-cases.ts";
import type { ConstructorWorld } from "./constructor-world.ts";

/** The answer of ocm: a component, or its error message. */
export type OcmAnswer = ComparableComponent | { readonly refusal: string };

export interface OcmAnswers {
  /** The component that ocm builds of the constructor file. */
  readonly built: OcmAnswer;
  /** What ocm reads of the component that our command builds. */
  readonly read: OcmAnswer;
}

const place = `${caseComponent.name}:${caseComponent.version}`;

/** Builds a case with our command. Throws its message if it fails. Returns the folder. */
export async function buildOurs(world: ConstructorWorld, one: ConstructorCase): Promise<string> {
  const constructor = world.write(one);
  const ctf = constructor.replace(".yaml", "-ours");
  const { status, output } = await world.runOurs([
    "create",
    "--constructor",
    constructor,
    "--ctf",
    ctf,
    ...world.variables,
    ...(one.words ?? []),
  ]);
  if (status !== 0) throw new Error(`${one.title}: ${output}`);
  return ctf;
}

/** Asks a program that is ocm. */
export async function askOcm(program: string, world: ConstructorWorld, one: ConstructorCase): Promise<OcmAnswers> {
  const constructor = world.write(one);
  const theirs = constructor.replace(".yaml", "-theirs");
  const words = [
    "add",
    "componentversions",
    "--create",
    "--file",
    theirs,
    constructor,
    ...world.variables,
    ...(one.words ?? []),
  ];
  const { status, output } = await world.run(program, words);
  const built =
    status === 0 ? await comparableComponent(world.file(theirs), caseComponent) : { refusal: refusalIn(output) };
  return { built, read: await readOurs(program, world, await buildOurs(world, one)) };
}

/** The last message, without names that differ from call to call. */
function refusalIn(output: string): string {
  const message = output.slice(output.lastIndexOf("Error: ") + "Error: ".length).trim();
  return message.replaceAll(/constructor-\d+/g, "constructor").replaceAll(/:\d{4,5}\b/g, ":PORT");
}

interface ReadElement {
  readonly name: string;
  readonly version: string;
  readonly extraIdentity?: Readonly<Record<string, string>>;
  readonly access: { readonly type: string; readonly localReference?: string };
}

/** ocm shows the version as an extra identity where name and extra identity are not unique. */
function withoutDefaultIdentity(element: ReadElement): ReadElement {
  const { version: shown, ...extraIdentity } = element.extraIdentity ?? {};
  return shown === element.version ? { ...element, extraIdentity } : element;
}

async function readOurs(program: string, world: ConstructorWorld, ctf: string): Promise<OcmAnswer> {
  const at = `./${ctf}//${place}`;
  const { status, output } = await world.run(program, ["get", "componentversions", at, "-o", "json"]);
  if (status !== 0) return { refusal: refusalIn(output) };
  const { items } = JSON.parse(output) as { items: readonly [{ component: { resources: readonly ReadElement[] } }] };
  const [document] = items;
  const contents: LocalContent[] = [];
  for (const [index, element] of document.component.resources.entries()) {
    const { name, extraIdentity = {}, access } = element;
    if (access.localReference === undefined) continue;
    const file = `${ctf}-${index}`;
    const isAmbiguous = document.component.resources.some((other) => other !== element && other.name === name);
    const attributes = isAmbiguous ? { ...extraIdentity, version: element.version } : extraIdentity;
    const identity = Object.entries(attributes).map(([key, value]) => `${key}=${value}`);
    const downloaded = await world.run(program, ["download", "resources", at, name, ...identity, "-O", file]);
    if (!existsSync(world.file(file))) return { refusal: refusalIn(downloaded.output) };
    const stored = identityOf(withoutDefaultIdentity(element));
    contents.push({ identity: stored, reference: access.localReference, bytes: readFileSync(world.file(file)) });
  }
  const resources = document.component.resources.map(withoutDefaultIdentity);
  return await compareDocument({ component: { ...document.component, resources } }, contents);
}
