import { isInvalidByte, isUnicodeSpace, isUpper, lowerCase, lowerRune, upperRune } from "@landscaper/golang";

/** Models huandu/xstrings convert.go, which sprig uses. */
function isConnector(rune: string): boolean {
  return rune === "-" || rune === "_" || isUnicodeSpace(rune);
}

/** xstrings.ToPascalCase: "http_server" becomes HttpServer; leading connectors stay. */
export function toPascalCase(text: string): string {
  const runes = Array.from(text);
  let start = 0;
  while (start < runes.length && isConnector(runes[start] ?? "")) start++;
  let result = runes.slice(0, start).join("");
  // xstrings writes the last connector twice if there is nothing else.
  if (start >= runes.length) return result + (runes.at(-1) ?? "");
  let inUpperWord = isUpper(runes[start] ?? "");
  let current = upperRune(runes[start] ?? "");
  for (const rune of runes.slice(start + 1)) {
    const previous = current;
    current = rune;
    if (isConnector(current) && isConnector(previous)) result += previous;
    else if (isConnector(previous)) {
      inUpperWord = isUpper(current);
      current = upperRune(current);
    } else {
      if (inUpperWord && isUpper(current)) current = lowerRune(current);
      else inUpperWord = false;
      result += previous;
    }
  }
  return result + current;
}

type WordType = "none" | "number" | "upper" | "letters" | "connector" | "punctuation" | "other";

interface Word {
  readonly type: WordType;
  readonly text: string;
}

/** xstrings.ToSnakeCase and ToKebabCase: "HTTPServer2" becomes http_server2. */
export function camelToLower(text: string, connector: string): string {
  const words = splitWords(text);
  let result = "";
  let i = 0;
  const at = (index: number): Word => words[index] ?? { type: "none", text: "" };
  const write = (word: Word): void => {
    result += word.type === "connector" ? connector.repeat(Array.from(word.text).length) : lowerWord(word);
  };
  const writeRun = (): void => {
    while (at(i).type === "letters" || at(i).type === "number") write(at(i++));
  };
  const isPlain = (word: Word): boolean => word.type !== "connector" && word.type !== "punctuation";
  while (i + 1 < words.length) {
    const word = at(i++);
    write(word);
    if (word.type === "number") {
      writeRun();
      if (at(i).type !== "none" && isPlain(at(i))) result += connector;
    } else if (word.type !== "connector" && word.type !== "punctuation") {
      if (at(i).type !== "number") {
        if (isPlain(at(i))) result += connector;
        continue;
      }
      if (i + 1 >= words.length) continue;
      const number = at(i++);
      if (at(i).type !== "letters") {
        // The number belongs to the word before it: Bld4Floor is bld4_floor.
        write(number);
        if (isPlain(at(i))) result += connector;
        continue;
      }
      result += connector;
      write(number);
      writeRun();
      if (at(i).type !== "none" && isPlain(at(i))) result += connector;
    }
  }
  if (i < words.length) write(at(i));
  return result;
}

/** Only words that begin in upper case change: a digraph in title case stays. */
function lowerWord({ type, text }: Word): string {
  return type === "upper" ? lowerCase(text) : text;
}

/** A letter, but no CJK one. */
function isLetter(rune: string): boolean {
  if (rune < "\x80") return (rune >= "a" && rune <= "z") || (rune >= "A" && rune <= "Z");
  return /^\p{L}$/u.test(rune) && !/^[\u3400-\u4d85\u4e00-\u9fcc\u{20000}-\u{2b81d}]$/u.test(rune);
}

function isPunctuation(rune: string): boolean {
  return /^\p{P}$/u.test(rune);
}

/** Types of the ASCII characters by their code. Filled on demand, because most programs never convert identifiers. */
const asciiTypes: WordType[] = [];

function typeOf(rune: string): WordType {
  return rune < "\x80" ? (asciiTypes[rune.charCodeAt(0)] ??= classify(rune)) : classify(rune);
}

function classify(rune: string): WordType {
  if (isConnector(rune)) return "connector";
  if (isPunctuation(rune)) return "punctuation";
  if (isUpper(rune)) return "upper";
  if (isLetter(rune)) return "letters";
  return /^\p{N}$/u.test(rune) ? "number" : "other";
}

function splitWords(text: string): Word[] {
  const { runes, texts } = attachBroken(text);
  const words: Word[] = [];
  for (let i = 0; i < runes.length;) {
    const type = typeOf(runes[i] ?? "");
    const end = type === "upper" ? endOfUpperWord(runes, i) : endOfRun(runes, i, type);
    words.push({ type, text: texts.slice(i, end).join("") });
    i = end;
  }
  return words;
}

/** Runes with their texts. What is no UTF-8, and U+FFFD, is part of the rune before it; at the start, of the one behind. */
function attachBroken(text: string): { runes: string[]; texts: string[] } {
  const runes: string[] = [];
  const texts: string[] = [];
  let start = "";
  for (const rune of text) {
    const isBroken = rune === "\ufffd" || isInvalidByte(rune.charCodeAt(0));
    if (!isBroken) {
      runes.push(rune);
      texts.push(start + rune);
      start = "";
    } else if (texts.length === 0) start += rune;
    else texts[texts.length - 1] += rune;
  }
  return runes.length === 0 && start !== "" ? { runes: ["\ufffd"], texts: [start] } : { runes, texts };
}

function endOfRun(runes: readonly string[], start: number, type: WordType): number {
  // Behind other punctuation a hyphen or underscore connects nothing.
  const continues = type === "punctuation" ? isPunctuation : (rune: string): boolean => typeOf(rune) === type;
  let end = start + 1;
  while (end < runes.length && continues(runes[end] ?? "")) end++;
  return end;
}

/** "HTTPStatus" is HTTP and Status; "Status" is one word. */
function endOfUpperWord(runes: readonly string[], start: number): number {
  const next = runes[start + 1];
  if (next === undefined || !isLetter(next)) return start + 1;
  if (!isUpper(next)) return endOfRun(runes, start + 1, "letters");
  let end = start + 1;
  while (end < runes.length && isUpper(runes[end] ?? "")) end++;
  return end < runes.length && isLetter(runes[end] ?? "") ? end - 1 : end;
}
