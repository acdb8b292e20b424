import { FunctionError } from "@landscaper/golang";

/**
 * Repository and version of an OCI reference (ocm.md §12): a scheme and Docker Hub's default host are dropped, a digest
 * wins over a tag, a missing tag is `latest`. Throws FunctionError for a text without any colon.
 */
export function parseOciReference(reference: string): readonly [repository: string, version: string] {
  if (!reference.includes(":")) throw new FunctionError("expected an OCI reference with a tag or a digest");
  const short = reference.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/^index\.docker\.io\/(library\/)?/, "");
  const digestAt = short.lastIndexOf("@");
  if (digestAt > 0) {
    const named = short.slice(0, digestAt);
    return [named.replace(/:[^/:]*$/, ""), short.slice(digestAt + 1)];
  }
  const [, repository, tag] = /^(.+):([^/:]+)$/.exec(short) ?? [];
  return repository === undefined || tag === undefined ? [short, "latest"] : [repository, tag];
}
