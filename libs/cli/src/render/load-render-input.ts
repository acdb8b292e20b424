import { readFile } from "node:fs/promises";
import { describeFileFailure, identifyError, apiVersion, type Installation } from "@landscaper/api";
import {
  blueprintOfInstallation,
  filesFromTree,
  loadImports,
  readBlueprint,
  readComponents,
  selectRoot,
  type BlueprintSource,
  type ImportedValues,
} from "@landscaper/blueprint";
import type { Closure, SupplyReader } from "@landscaper/components";
import type { RepositoryContext } from "@landscaper/ocm";
import { InvocationError, UsageError } from "../usage-error.ts";
import { connectByName, createImportLookup } from "./import-lookup.ts";
import { isManifest, parseDocuments, parseImportObjects, parseInstallation, type Document } from "./parse-documents.ts";
import { parseItemExports, type ItemExports } from "./parse-item-exports.ts";
import { parseRenderImports, type RenderImports } from "./parse-render-imports.ts";
import { readFolder } from "./read-folder.ts";

/** The files and names that a command line gives. */
export interface RenderFiles {
  /** Folder of the blueprint; undefined takes that of the Installation. */
  readonly blueprint: string | undefined;
  readonly installation: string | undefined;
  readonly imports: readonly string[];
  readonly exports: string | undefined;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  /** Where components are looked for whose Installation names no repository. */
  readonly repository: RepositoryContext | undefined;
}

/** What is rendered. */
export interface RenderInput {
  readonly installation: Installation;
  readonly source: BlueprintSource;
  /** The component of the Installation with all that it refers to. */
  readonly closure: Closure | undefined;
  /** Whether an Installation says which exports are wanted; otherwise all are. */
  readonly hasInstallation: boolean;
  readonly given: ImportedValues;
  /** Undefined when the command line says nothing about them. */
  readonly itemExports: ItemExports | undefined;
}

/** Reads everything that a rendering depends on. Throws UsageError, LandscaperError or InvocationError, and SuppliesLacking for what is to be fetched of components. */
export async function loadRenderInput(files: RenderFiles, supplies: SupplyReader): Promise<RenderInput> {
  const documents = (await Promise.all(files.imports.map(readDocuments))).flat();
  const read = await loadInstallation(files);
  const closure = await loadComponents(read, files, supplies);
  const source =
    files.blueprint === undefined
      ? await blueprintOfInstallation(read, closure)
      : readBlueprint(filesFromTree(readFolder(files.blueprint), files.blueprint), files.blueprint);
  const objects = parseImportObjects(documents.filter(isManifest));
  const short = mergeShortForms(documents.filter((document) => !isManifest(document)));
  const hasInstallation = files.installation !== undefined;
  const connected = hasInstallation
    ? read
    : { ...read, spec: { ...read.spec, imports: connectByName(source, objects) } };
  const installation = withMappings(without(connected, short.given), short);
  const reading = await loadImports(installation, createImportLookup(objects, installation.metadata.namespace ?? ""));
  const given = { ...reading.given, ...short.given };
  return {
    installation,
    source,
    closure,
    hasInstallation,
    given,
    itemExports: files.exports === undefined ? undefined : await readItemExports(files.exports),
  };
}

async function loadComponents(
  installation: Installation,
  { repository }: RenderFiles,
  supplies: SupplyReader,
): Promise<Closure | undefined> {
  const root = selectRoot(installation);
  const own = installation.spec.componentDescriptor?.ref?.repositoryContext;
  const selection = root && { root, context: own ?? repository, overwrites: [], hasResolvers: false };
  return await readComponents({ selection, supplies });
}

async function loadInstallation(files: RenderFiles): Promise<Installation> {
  const { name, namespace, installation: file } = files;
  if (file === undefined) {
    if (files.blueprint === undefined) throw new InvocationError("expected --blueprint DIR or --installation FILE");
    const metadata = { name: name ?? "installation", namespace: namespace ?? "default" };
    const spec = { blueprint: { inline: { filesystem: {} } } };
    return { apiVersion, kind: "Installation", metadata, spec };
  }
  const read = parseInstallation(await readDocuments(file), file);
  const { metadata } = read;
  return {
    ...read,
    metadata: {
      ...metadata,
      name: name ?? metadata.name ?? "",
      namespace: namespace ?? metadata.namespace ?? "default",
    },
  };
}

/** The Installation without the imports whose values are given beside it. */
function without(installation: Installation, given: ImportedValues): Installation {
  const { imports } = installation.spec;
  const isOpen = ({ name }: { readonly name: string }): boolean => !Object.hasOwn(given, name);
  const data = (imports?.data ?? []).filter(isOpen);
  const targets = (imports?.targets ?? []).filter(isOpen);
  return { ...installation, spec: { ...installation.spec, imports: { data, targets } } };
}

function withMappings(installation: Installation, { mappings }: RenderImports): Installation {
  const importDataMappings = { ...installation.spec.importDataMappings, ...mappings };
  return { ...installation, spec: { ...installation.spec, importDataMappings } };
}

function mergeShortForms(documents: readonly Document[]): RenderImports {
  const parsed = documents.map(({ value, where }) => located(where, () => parseRenderImports(value)));
  return {
    given: Object.assign({}, ...parsed.map(({ given }) => given)),
    mappings: Object.assign({}, ...parsed.map(({ mappings }) => mappings)),
  };
}

async function readItemExports(file: string): Promise<ItemExports> {
  const documents = await readDocuments(file);
  return located(file, () => parseItemExports(documents[0]?.value));
}

function located<T>(where: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${where}: ${error.message}`) : error;
  }
}

async function readDocuments(file: string): Promise<readonly Document[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (Reflect.get(Object(error), "code") === "EISDIR") {
      throw new InvocationError(
        `${file}: expected a file, found a folder; a blueprint's folder is given with --blueprint`,
      );
    }
    const failure = describeFileFailure(error, file);
    throw new UsageError(
      failure === undefined ? `${file}: ${identifyError(error)}` : `${failure.message}. ${failure.remedy}`,
    );
  }
  return parseDocuments(text, file);
}
