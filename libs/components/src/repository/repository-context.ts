import { parseReference } from "@landscaper/oci";
import type { RepositoryContext } from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import type { NameMapping } from "./component-names.ts";

/** A repository as descriptors, Contexts and configurations name it (docs/reference/components.md#repositories). */
export type RepositorySpec =
  | {
      readonly kind: "registry";
      readonly host: string;
      readonly scheme: "http" | "https" | undefined;
      /** Without slashes at its ends; "" for none. */
      readonly subPath: string;
      readonly mapping: NameMapping;
    }
  /** A common transport format or a component archive. */
  | { readonly kind: "file"; readonly filePath: string }
  /** A folder below the one that the configuration names for local repositories. */
  | { readonly kind: "local"; readonly filePath: string }
  | { readonly kind: "inline" };

const kinds: Readonly<Record<string, RepositorySpec["kind"]>> = {
  ociregistry: "registry",
  commontransportformat: "file",
  componentarchive: "file",
  local: "local",
  inline: "inline",
};

/** Whether the components stand in the context itself. */
export function isInlineContext({ type }: RepositoryContext): boolean {
  return typeof type === "string" && kindOf(type) === "inline";
}

function kindOf(type: string): RepositorySpec["kind"] | undefined {
  return kinds[type.replace(/\/v1$/, "").toLowerCase()];
}

/** Reads a repository context; `where` begins messages. Throws LandscaperError that names the field. */
export function parseRepositoryContext(context: RepositoryContext, where: string): RepositorySpec {
  const { type } = context;
  if (typeof type !== "string") throw invalid(where, "type: expected a text");
  const kind = kindOf(type);
  if (kind === undefined) {
    throw invalid(
      where,
      `type: expected OCIRegistry, CommonTransportFormat, ComponentArchive, local or inline, found ${JSON.stringify(type)}`,
    );
  }
  if (kind === "registry") return parseRegistry(context, where);
  return kind === "inline" ? { kind } : { kind, filePath: textOf(context, "filePath", where) };
}

function parseRegistry(context: RepositoryContext, where: string): RepositorySpec {
  const baseUrl = textOf(context, "baseUrl", where).replace(/\/+$/, "");
  const { subPath: given = "", componentNameMapping: mapping = "urlPath" } = context;
  if (typeof given !== "string") throw invalid(where, "subPath: expected a text");
  if (mapping !== "urlPath" && mapping !== "sha256-digest") {
    throw invalid(where, `componentNameMapping: expected urlPath or sha256-digest, found ${JSON.stringify(mapping)}`);
  }
  const { host, scheme, path } = readBaseUrl(baseUrl, where);
  const sub = given.split("/").filter((part) => part !== "");
  return { kind: "registry", host, scheme, subPath: [path, ...sub].filter((part) => part !== "").join("/"), mapping };
}

interface BaseUrl {
  readonly host: string;
  readonly scheme: "http" | "https" | undefined;
  readonly path: string;
}

/** Its grammar is that of a reference to something below it. */
function readBaseUrl(text: string, where: string): BaseUrl {
  const expected = invalid(
    where,
    `baseUrl: expected host[:port][/path], found ${JSON.stringify(withoutUserInfo(text))}`,
  );
  try {
    const { host, scheme, repository } = parseReference(`${text.includes("://") ? "" : "oci://"}${text}/x`);
    return { host, scheme, path: repository === "x" ? "" : repository.slice(0, -"/x".length) };
  } catch {
    throw expected;
  }
}

/** Somebody may have written a password into a URL. */
function withoutUserInfo(text: string): string {
  return text.replace(/^([a-z]+:\/\/)?[^/@]*@/i, "$1");
}

function textOf(context: RepositoryContext, field: string, where: string): string {
  const value = context[field];
  if (typeof value === "string" && value !== "") return value;
  throw invalid(where, `${field}: expected a text`);
}

function invalid(where: string, problem: string): Error {
  return componentError("InvalidComponent", `${where}: ${problem}`);
}
