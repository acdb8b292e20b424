/** Matches one character; a star matches any number of them. */
export type Token =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "literal"; readonly character: string }
  | { readonly kind: "class"; readonly matches: (character: string) => boolean };
/** Pattern for one name of a path, or `**`. */
export type Segment = "globstar" | readonly Token[];

/** Parses a pattern whose braces are expanded. Throws the error of `refuse`, which gets the reason and the remedy, if the pattern never matches a path below a folder. */
export function parseGlob(pattern: string, refuse: (problem: string) => Error): readonly Segment[] {
  if (pattern === "") throw refuse("it is empty, but a path is not. Remove it");
  if (pattern.startsWith("/")) {
    throw refuse("it begins with a slash, but paths are relative to the folder of the input. Remove the slash");
  }
  if (pattern.endsWith("/")) {
    throw refuse("it ends with a slash, but a path does not. Remove the slash, or write /** for all files in a folder");
  }
  if (pattern.includes("\0")) throw refuse("it has a zero character, but a file name does not. Remove the character");
  const segments: Token[][] = [[]];
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    if (character === "[") {
      const end = classEnd(characters, at);
      if (end === undefined) {
        const [begin = ""] = /^\[[!^]?(?=\])/.exec(characters.slice(at, at + 3).join("")) ?? [];
        const problem =
          begin === ""
            ? 'it has "[" without "]"'
            : `the "]" directly behind "${begin}" is a character of the class, and no other "]" closes it`;
        throw refuse(`${problem}. Close the bracket, or write [[] for a bracket in a name`);
      }
      segments.at(-1)?.push(parseClass(characters.slice(at + 1, end), refuse));
      at = end;
    } else if (character !== "/") segments.at(-1)?.push(tokenOf(character));
    else if (segments.at(-1)?.length !== 0) segments.push([]);
  }
  return segments.map((tokens) => parseSegment(tokens, refuse));
}

function tokenOf(character: string): Token {
  if (character === "*") return { kind: "star" };
  return character === "?" ? { kind: "any" } : { kind: "literal", character };
}

function parseSegment(tokens: readonly Token[], refuse: (problem: string) => Error): Segment {
  if (tokens.length === 2 && tokens.every(({ kind }) => kind === "star")) return "globstar";
  if (tokens.length <= 2 && tokens.every((token) => token.kind === "literal" && token.character === ".")) {
    const name = JSON.stringify(".".repeat(tokens.length));
    throw refuse(`it has the name ${name}, but a path below the folder does not. Write the path from the folder on`);
  }
  return tokens.filter(({ kind }, at) => kind !== "star" || tokens[at - 1]?.kind !== "star");
}

/** Returns the position of the closing bracket; undefined if it is missing. A closing bracket at the beginning of a class is a member of it. */
function classEnd(characters: readonly string[], start: number): number | undefined {
  const isNegated = ["!", "^"].includes(characters[start + 1] ?? "");
  const end = characters.indexOf("]", start + (isNegated ? 3 : 2));
  return end < 0 ? undefined : end;
}

function parseClass(characters: readonly string[], refuse: (problem: string) => Error): Token {
  const isNegated = characters[0] === "!" || characters[0] === "^";
  const members = isNegated ? characters.slice(1) : characters;
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const from = members[at] ?? "";
    const to = members[at + 1] === "-" ? members[at + 2] : undefined;
    if (to !== undefined && codeOf(from) > codeOf(to)) {
      throw refuse(`its range ${from}-${to} has no characters. Write ${to}-${from}`);
    }
    if (from !== "/" || to !== undefined) ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  const [first = ["", ""]] = ranges;
  if (!isNegated && ranges.length === 0)
    throw refuse("its brackets have only slashes. Write the slash without brackets");
  // A class with one member, such as [*] or [.], is the usual way to write a literal.
  if (!isNegated && ranges.every((range) => range.every((end) => end === first[0]))) {
    return { kind: "literal", character: first[0] };
  }
  const hasMember = (found: string): boolean =>
    ranges.some(([from, to]) => codeOf(from) <= codeOf(found) && codeOf(found) <= codeOf(to));
  return { kind: "class", matches: (found) => hasMember(found) !== isNegated };
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
