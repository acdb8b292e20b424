import {
  createParser,
  describeYamlFailure,
  groupName,
  installationSpecSchema,
  quoteText,
  shortenText,
  targetSpecSchema,
  type ConfigMap,
  type DataObject,
  type Installation,
  type InstallationSpec,
  type KubeObject,
  type Secret,
  type Target,
  type TargetSpec,
} from "@landscaper/api";
import { canonicalIntegers, isNestedDeeper } from "@landscaper/json";
import {
  isAlias,
  isCollection,
  isMap as isMapNode,
  isScalar,
  LineCounter,
  parseAllDocuments,
  visit,
  type Document as YamlDocument,
} from "yaml";
import { UsageError } from "../usage-error.ts";

/** Objects of a cluster that an Installation can import. */
export interface ImportObjects {
  readonly dataObjects: readonly DataObject[];
  readonly targets: readonly Target[];
  readonly secrets: readonly Secret[];
  readonly configMaps: readonly ConfigMap[];
}

/** A YAML document and where it stands. */
export interface Document {
  readonly where: string;
  readonly value: unknown;
}

type JsonMap = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tags whose values are objects of classes, such as Date. As for kubectl, a date without quotes is a text. */
const classTags: ReadonlySet<string> = new Set(
  ["binary", "omap", "pairs", "set", "timestamp"].map((name) => `tag:yaml.org,2002:${name}`),
);

/**
 * The documents of a YAML text. The meaning of plain scalars is that of YAML 1.1, as for kubectl, or of 1.2, as for `ocm`: there `yes` and `on` are texts.
 * Throws UsageError.
 */
export function parseDocuments(text: string, file: string, version: "1.1" | "1.2" = "1.1"): readonly Document[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    version,
    merge: true,
    intAsBigInt: true,
    customTags: (tags) => tags.filter((tag) => typeof tag === "string" || !classTags.has(tag.tag)),
    resolveKnownTags: false,
    logLevel: "error",
    lineCounter: lines,
  });
  if ("empty" in documents) return [];
  for (const document of documents) {
    const [error] = document.errors;
    if (error?.code === "RESOURCE_EXHAUSTION") {
      throw new UsageError(`${file}: line ${error.linePos?.[0].line ?? 1}: lists and maps are ${tooDeep}`);
    }
    if (error?.code === "DUPLICATE_KEY") throw duplicateKey(document, { file, lines, offset: error.pos[0] });
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0]);
      throw new UsageError(`${file}: line ${line}, column ${col}: expected YAML: ${describeYamlFailure(error.code)}`);
    }
    checkNodes(document, { file, lines });
  }
  const named = nameDocuments(
    documents.map((document) => valueOf(document, file)),
    file,
  );
  return named.map(({ where, value }) => ({ where, value: canonicalIntegers(value) }));
}

function valueOf(document: YamlDocument.Parsed, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // checkNodes has found an anchor for each alias. The only other cause is the limit on their expansion.
    if (!(error instanceof ReferenceError)) throw error;
    throw new UsageError(`${file}: the YAML aliases expand to too many values. Use fewer aliases of aliases`);
  }
}

/** Maximum nesting. Real files have fewer levels, and recursive code does not overflow the stack. */
const maxLevels = 400;
const tooDeep = `nested more than ${maxLevels} levels deep, or contain themselves by an alias. Nest fewer levels`;

/** Returns the documents that are not empty, numbered if there are several. Throws UsageError for a document that is nested too deep, and for numbers that are not finite. */
export function nameDocuments(values: readonly unknown[], file: string): readonly Document[] {
  const where = (index: number): string => (values.length > 1 ? `${file}, document ${index + 1}` : file);
  return values.flatMap((value, index) => {
    if (isNestedDeeper(value, maxLevels)) throw new UsageError(`${where(index)}: lists and maps are ${tooDeep}`);
    const [path] = findInfinite(value, "");
    if (path !== undefined) {
      const place = path === "" ? "" : `${shortenText(path)}: `;
      throw new UsageError(
        `${where(index)}: ${place}expected JSON data, found NaN or an infinite number. Put it in quotes.`,
      );
    }
    return value === undefined || value === null ? [] : [{ where: where(index), value }];
  });
}

/** Returns the path of the first number that is not finite, in a list; an empty list if there is none. */
function findInfinite(value: unknown, path: string): readonly string[] {
  if (typeof value === "number") return Number.isFinite(value) ? [] : [path];
  if (typeof value !== "object" || value === null) return [];
  for (const [key, member] of Object.entries(value)) {
    const name = Array.isArray(value) ? `[${key}]` : path === "" ? key : `.${key}`;
    const found = findInfinite(member, path + name);
    if (found.length > 0) return found;
  }
  return [];
}

/** `offset` is the place of the second key. */
function duplicateKey(
  document: YamlDocument.Parsed,
  { file, lines, offset }: { readonly file: string; readonly lines: LineCounter; readonly offset: number },
): UsageError {
  let found = "";
  visit(document, {
    Map: (_, { items }) => {
      const second = items.find(({ key }) => isScalar(key) && key.range?.[0] === offset)?.key;
      if (!isScalar(second)) return undefined;
      const first = items.find(({ key }) => isScalar(key) && key.value === second.value)?.key;
      const firstLine = isScalar(first) ? lines.linePos(first.range?.[0] ?? 0).line : undefined;
      found = ` the key ${quoteText(String(second.value))}${firstLine === undefined ? "" : `, which line ${firstLine} has, too`}`;
      return visit.BREAK;
    },
  });
  const { line } = lines.linePos(offset);
  return new UsageError(
    `${file}: line ${line}: expected each key of a map once, found a second time${found}. Remove one of them`,
  );
}

/** Throws UsageError for what JSON does not have: tags such as !!binary, and maps or lists as keys, which are mostly templates without quotes. Also for an alias without an anchor before it. */
function checkNodes(
  document: YamlDocument.Parsed,
  { file, lines }: { readonly file: string; readonly lines: LineCounter },
): void {
  const anchors = new Set<string>();
  visit(document, {
    Node: (_, node) => {
      const { tag, range } = node;
      if (isAlias(node) && !anchors.has(node.source)) {
        const { line } = lines.linePos(range?.[0] ?? 0);
        throw new UsageError(
          `${file}: line ${line}: the alias *${node.source} has no anchor &${node.source} before it. Add the anchor, or put the text in quotes.`,
        );
      }
      if (!isAlias(node) && node.anchor !== undefined) anchors.add(node.anchor);
      if (tag === undefined || !classTags.has(tag)) return;
      const { line } = lines.linePos(range?.[0] ?? 0);
      throw new UsageError(
        `${file}: line ${line}: expected JSON data, found the YAML tag !!${tag.split(":").at(-1)}. Remove the tag, and put a scalar in quotes.`,
      );
    },
    Pair: (_, { key }) => {
      if (!isCollection(key)) return;
      const { line } = lines.linePos(key.range?.[0] ?? 0);
      throw new UsageError(
        `${file}: line ${line}: expected a text as the key of a map, found a ${isMapNode(key) ? "map" : "list"}; put a text with braces, such as a template, in quotes`,
      );
    },
  });
}

/** Whether the document is a manifest; the short form of imports is none. */
export function isManifest({ value }: Document): boolean {
  return isMap(value) && "kind" in value && "apiVersion" in value;
}

const parseInstallationSpec = createParser<InstallationSpec>(installationSpecSchema, "Installation");
const parseTargetSpec = createParser<TargetSpec>(targetSpecSchema, "Target");

/** A manifest has these at least. */
function parseObject({ value, where }: Document): KubeObject & JsonMap {
  const metadata = isMap(value) ? value["metadata"] : undefined;
  if (!isMap(value) || !isMap(metadata) || typeof metadata["name"] !== "string") {
    throw new UsageError(`${where}: metadata.name: expected the name of the object`);
  }
  const { apiVersion, kind } = value;
  return {
    ...value,
    apiVersion: String(apiVersion),
    kind: String(kind),
    metadata: { ...metadata, name: metadata["name"] },
  };
}

/** The one Installation among the documents of a file. Throws UsageError or LandscaperError. */
export function parseInstallation(documents: readonly Document[], file: string): Installation {
  const found = documents.filter(({ value }) => isMap(value) && value["kind"] === "Installation");
  const [document] = found;
  if (document === undefined || found.length > 1) {
    throw new UsageError(`${file}: expected one Installation, found ${found.length}`);
  }
  const object = parseObject(document);
  checkGroup(object, groupName, document.where);
  return { ...object, spec: parseInstallationSpec(object["spec"], `${document.where}: spec`) };
}

function checkGroup({ apiVersion, kind }: KubeObject, group: string, where: string): void {
  const found = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  if (found === group) return;
  throw new UsageError(
    `${where}: apiVersion: expected ${group === "" ? "v1" : group} for ${kind}, found ${apiVersion}`,
  );
}

/** Sorts manifests by what they can be imported as; Installations are passed over. Throws UsageError for other kinds. */
export function parseImportObjects(documents: readonly Document[]): ImportObjects {
  const dataObjects: DataObject[] = [];
  const targets: Target[] = [];
  const secrets: Secret[] = [];
  const configMaps: ConfigMap[] = [];
  for (const document of documents.flatMap(expandList)) {
    const object = parseObject(document);
    const { where } = document;
    switch (object.kind) {
      case "DataObject":
        checkGroup(object, groupName, where);
        dataObjects.push(object);
        break;
      case "Target":
        checkGroup(object, groupName, where);
        targets.push({ ...object, spec: parseTargetSpec(object["spec"], `${where}: spec`) });
        break;
      case "Secret":
        checkGroup(object, "", where);
        secrets.push({ ...object, data: secretData(object, where) });
        break;
      case "ConfigMap":
        checkGroup(object, "", where);
        configMaps.push({ ...object, ...texts(object, "data", where), ...texts(object, "binaryData", where) });
        break;
      case "Installation":
        break;
      default:
        throw new UsageError(`${where}: expected a DataObject, Target, Secret or ConfigMap, found a ${object.kind}`);
    }
  }
  return { dataObjects, targets, secrets, configMaps };
}

function expandList({ value, where }: Document): readonly Document[] {
  if (!isMap(value) || value["kind"] !== "List") return [{ value, where }];
  const { items } = value;
  if (!Array.isArray(items)) throw new UsageError(`${where}: items: expected a list of objects`);
  return items.map((item: unknown, index) => ({ value: item, where: `${where}: items[${index}]` }));
}

/** A map of texts; values are not named: they may be secret. */
function texts<F extends string>(
  object: JsonMap,
  field: F,
  where: string,
): { readonly [field in F]?: Record<string, string> } {
  const entries = object[field];
  if (entries === undefined || entries === null) return {};
  if (!isMap(entries)) throw new UsageError(`${where}: ${field}: expected a map`);
  const bad = Object.entries(entries).find(([, value]) => typeof value !== "string");
  if (bad !== undefined) throw new UsageError(`${where}: ${field}.${bad[0]}: expected a text; put it in quotes`);
  // Its only key, and all values are texts.
  return { [field]: entries } as { readonly [field in F]?: Record<string, string> };
}

/** As the API server stores it: stringData wins over data. */
function secretData(object: JsonMap, where: string): Record<string, string> {
  const { data } = texts(object, "data", where);
  const { stringData = {} } = texts(object, "stringData", where);
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString("base64")] as const);
  return { ...data, ...Object.fromEntries(encoded) };
}
