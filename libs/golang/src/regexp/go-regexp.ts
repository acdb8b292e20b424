import { RE2JS } from "re2js";

/** A pattern that Go does not accept; `message` has Go's words. */
export class RegExpSyntaxError extends Error {
  override readonly name = "RegExpSyntaxError";
}

/** Compiled patterns: templates use few of them, again and again. */
const recent = new Map<string, GoRegExp>();
const maxRecent = 200;
const maxRecentLength = 200;

/** Where the message of re2js is not Go's. */
const otherMessages: Readonly<Record<string, string>> = {
  "error parsing regexp: trailing backslash at end of expression":
    "error parsing regexp: trailing backslash at end of expression: ``",
  "error parsing regexp: invalid named capture: `(?P<`":
    "error parsing regexp: invalid or unsupported Perl syntax: `(?P`",
};

function goMessage(message: string): string {
  return otherMessages[message] ?? message;
}

/** Throws for mistakes in the start of a pattern that no end could make good. */
function checkStart(start: string): void {
  try {
    RE2JS.compile(start);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/invalid (nested )?repetition|unexpected \)|invalid character class range|invalid escape/.test(message))
      throw error;
  }
}

/** A regular expression in Go's syntax; matching takes time linear in the text. */
export class GoRegExp {
  readonly #re: RE2JS;

  private constructor(re: RE2JS) {
    this.#re = re;
  }

  /** Compiles a pattern; throws RegExpSyntaxError for what Go does not accept, such as look-around. */
  static compile(pattern: string): GoRegExp {
    const known = recent.get(pattern);
    if (known !== undefined) return known;
    const compiled = GoRegExp.#compileNew(pattern);
    if (pattern.length <= maxRecentLength) {
      if (recent.size >= maxRecent) recent.clear();
      recent.set(pattern, compiled);
    }
    return compiled;
  }

  static #compileNew(pattern: string): GoRegExp {
    try {
      // A byte that is no UTF-8 ends the pattern, unless something before it is wrong already.
      const end = pattern.search(/\p{Cs}/u);
      if (end >= 0) {
        checkStart(pattern.slice(0, end));
        throw new RegExpSyntaxError(`error parsing regexp: invalid UTF-8: \`${pattern.slice(end)}\``);
      }
      return new GoRegExp(RE2JS.compile(pattern));
    } catch (error) {
      if (error instanceof RegExpSyntaxError) throw error;
      throw new RegExpSyntaxError(goMessage(error instanceof Error ? error.message : String(error)));
    }
  }

  get pattern(): string {
    return this.#re.pattern();
  }

  /** Instructions of the compiled pattern: matching takes up to this times the length of the text. */
  get size(): number {
    return this.#re.programSize();
  }

  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean {
    return this.#re.matcher(text).find();
  }

  /** The matches from left to right, each with its groups; at most `limit` of them if that is positive. */
  findAll(text: string, limit = -1): RegExpMatch[] {
    return [...this.matches(text, limit)];
  }

  /** As findAll, one by one. */
  *matches(text: string, limit = -1): Generator<RegExpMatch> {
    let count = 0;
    const matcher = this.#re.matcher(text);
    let previousEnd = -1;
    while (matcher.find()) {
      const start = matcher.start();
      const end = matcher.end();
      // Go does not report an empty match right behind another match.
      if (start === end && start === previousEnd) continue;
      previousEnd = end;
      const groups: (string | undefined)[] = [];
      for (let i = 0; i <= matcher.groupCount(); i++) groups.push(matcher.group(i) ?? undefined);
      yield { start, end, groups };
      if (++count === limit) return;
    }
  }

  /** Number of a named group, or undefined. */
  groupNumber(name: string): number | undefined {
    const groups: Readonly<Record<string, number>> = this.#re.namedGroups();
    return Object.hasOwn(groups, name) ? groups[name] : undefined;
  }
}

export interface RegExpMatch {
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The match itself, then its groups; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[];
}
