import { FunctionError, type FunctionMap, type GoSlice, define, withType } from "@landscaper/golang";

/** Repository and version of an OCI reference. Docker Hub's default host is dropped (core.md §3.7). */
export function parseOciReference(reference: string): readonly [repository: string, version: string] | undefined {
  const short = reference.replace(/^index\.docker\.io\/(library\/)?/, "");
  const digestAt = short.lastIndexOf("@");
  if (digestAt > 0) {
    const named = short.slice(0, digestAt);
    const repository = named.replace(/:[^/:]*$/, "");
    return [repository, short.slice(digestAt + 1)];
  }
  const match = /^(.+):([^/:]+)$/.exec(short);
  return match === null ? undefined : [match[1] ?? "", match[2] ?? ""];
}

function parse(reference: string): readonly [string, string] {
  const parsed = parseOciReference(reference);
  if (parsed === undefined) throw new FunctionError("expected an OCI reference with a tag or a digest");
  return parsed;
}

export const ociReferenceFunctions: FunctionMap = {
  parseOCIRef: define(["string"], ([reference]) => {
    const pair: GoSlice = [...parse(reference)];
    return withType(pair, { name: "[2]string", element: "string", isArray: true });
  }),
  ociRefRepo: define(["string"], ([reference]) => parse(reference)[0]),
  ociRefVersion: define(["string"], ([reference]) => parse(reference)[1]),
};
