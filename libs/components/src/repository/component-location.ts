import { componentError } from "../component-error.ts";

/** A component of a repository, as people write it. */
export interface ComponentLocation {
  /** A registry with a path, or a file or folder. */
  readonly repository: string;
  readonly name: string;
  readonly version: string | undefined;
}

const syntax = "expected REPOSITORY//COMPONENT[:VERSION], such as registry.example/team//example.com/app:1.0.0";

/** Reads `REPOSITORY//COMPONENT[:VERSION]`. Throws LandscaperError. */
export function parseComponentLocation(text: string): ComponentLocation {
  const [, scheme = "", rest = ""] = /^([a-z]+:\/\/)?(.*)$/s.exec(text) ?? [];
  const at = rest.indexOf("//");
  const component = at < 0 ? "" : rest.slice(at + 2);
  const colon = component.lastIndexOf(":");
  const name = colon < 0 ? component : component.slice(0, colon);
  const version = colon < 0 ? undefined : component.slice(colon + 1);
  if (at <= 0 || name === "" || version === "") {
    throw componentError("InvalidComponent", `${JSON.stringify(text)}: ${syntax}`);
  }
  return { repository: `${scheme}${rest.slice(0, at)}`, name, version };
}
