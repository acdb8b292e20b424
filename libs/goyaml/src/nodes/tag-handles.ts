import { parserError } from "../scan/cursor.ts";
import type { Scanner } from "../scan/scanner.ts";
import type { Token } from "../scan/token.ts";

const standardHandles: readonly (readonly [string, string])[] = [
  ["!", "!"],
  ["!!", "tag:yaml.org,2002:"],
];

/** What the handles of tags stand for in a document. */
export class TagHandles {
  readonly #prefixes = new Map<string, string>();

  /** Steps over the directives of a document. Only YAML 1.1 is known. Throws YamlError. */
  readDirectives(scanner: Scanner): void {
    this.#prefixes.clear();
    let hasVersion = false;
    for (;;) {
      const token = scanner.peek();
      if (token.kind === "version-directive") {
        if (hasVersion) throw parserError("found duplicate %YAML directive", token);
        if (token.text !== "1.1") throw parserError("found incompatible YAML document", token);
        hasVersion = true;
      } else if (token.kind === "tag-directive") {
        if (this.#prefixes.has(token.handle)) throw parserError("found duplicate %TAG directive", token);
        this.#prefixes.set(token.handle, token.text);
      } else break;
      scanner.skip();
    }
    for (const [handle, prefix] of standardHandles) {
      if (!this.#prefixes.has(handle)) this.#prefixes.set(handle, prefix);
    }
  }

  /** The whole tag of a tag token. Throws YamlError for a handle that no directive has declared. */
  resolve(token: Token): string {
    if (token.handle === "") return token.text;
    const prefix = this.#prefixes.get(token.handle);
    if (prefix === undefined) throw parserError("found undefined tag handle", token);
    return prefix + token.text;
  }
}
