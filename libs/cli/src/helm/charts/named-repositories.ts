import { readFileSync } from "node:fs";
import { fromYaml, YamlError } from "@landscaper/goyaml";
import { isJsonObject } from "@landscaper/resources";
import type { CommandContext } from "../../command.ts";
import type { ParsedFlags } from "../../flags/parse-flags.ts";
import { InvocationError } from "../../usage-error.ts";
import { helmConfigFile } from "./helm-folders.ts";
import { HelmFailure } from "../helm-failure.ts";

/** A repository of `helm repo add`. User and password are for the host of the URL. */
export interface NamedRepository {
  readonly name: string;
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly caFile: string;
  readonly skipsTLSVerify: boolean;
  /** Why it cannot be used. */
  readonly refusal: string | undefined;
}

/** Ways of a repository to be reached that we do not follow, by their field. */
const refused = ["certFile", "keyFile", "pass_credentials_all"] as const;

/**
 * What `helm repo add` has written: --repository-config, HELM_REPOSITORY_CONFIG, or Helm's own file; nothing where there is no such file. Throws
 * HelmFailure for one that cannot be read.
 */
export function readNamedRepositories(
  parsed: ParsedFlags,
  { environment }: Pick<CommandContext, "environment">,
): readonly NamedRepository[] {
  const given = parsed.text("repository-config") ?? environment["HELM_REPOSITORY_CONFIG"];
  const file = given ?? helmConfigFile(environment, "repositories.yaml");
  const text = readText(file);
  const content = text === undefined ? undefined : parseFile(file, text);
  const list = isJsonObject(content) ? content["repositories"] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject).map((entry) => readEntry(entry, file)) : [];
}

/** The repository of a name. Throws HelmFailure in Helm's words, and InvocationError for one that cannot be used. */
export function findNamedRepository(repositories: readonly NamedRepository[], name: string): NamedRepository {
  const found = repositories.find((repository) => repository.name === name);
  if (found === undefined) throw new HelmFailure(`repo ${name} not found`);
  if (found.url === "") throw new HelmFailure(`no URL found for repository ${name}`);
  return usable(found);
}

/** Throws InvocationError for a repository that would be reached in a way that we do not follow: better no chart than another one. */
export function usable(repository: NamedRepository): NamedRepository {
  if (repository.refusal !== undefined) throw new InvocationError(repository.refusal);
  return repository;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (Reflect.get(Object(error), "code") === "ENOENT") return undefined;
    throw new HelmFailure(`couldn't load repositories file (${file}): it cannot be read`, { cause: error });
  }
}

function parseFile(file: string, text: string): unknown {
  try {
    return fromYaml(text);
  } catch (error) {
    throw error instanceof YamlError ? new HelmFailure(`${file}: ${error.message}`, { cause: error }) : error;
  }
}

function readEntry(entry: Readonly<Record<string, unknown>>, file: string): NamedRepository {
  const text = (field: string): string => (typeof entry[field] === "string" ? entry[field] : "");
  const name = text("name");
  const field = refused.find((each) => entry[each] === true || text(each) !== "");
  return {
    name,
    url: text("url"),
    username: text("username"),
    password: text("password"),
    caFile: text("caFile"),
    skipsTLSVerify: entry["insecure_skip_tls_verify"] === true,
    refusal:
      field === undefined ? undefined : `${file}: repository ${name}: ${field}: is not followed; fetch the chart first`,
  };
}
