import { redacted } from "./redaction.ts";

/** Words after which an API server, or a decoder behind it, repeats what it was given. */
const quotingPhrase =
  /(?:Invalid value|Unsupported value|Duplicate value|Not found): |\bmust be of type [\w-]+: (?=\\?["'`])|\bgot (?=&)|\b(?:parsing time|parsing|cannot parse|unmarshal) (?=\\?["'`])|!!\w+ (?=`)/g;

/** The API server names the type in quotes instead of the value where a rule is about a whole object. */
const typeName = /^\\?"(?:object|array|string|integer|number|boolean|null)\\?"$/;

/** Index behind the closing quote of the text that starts with a quote at `start`; the text may itself stand in quotes. */
function endOfQuoted(text: string, start: number): number {
  const isEscaped = text.charAt(start) === "\\";
  const quote = text.slice(start, isEscaped ? start + 2 : start + 1);
  for (let i = start + quote.length; i < text.length; i++) {
    if (text.startsWith(quote, i)) return i + quote.length;
    // In quotes within quotes every backslash is doubled, so an escaped quote is three characters more.
    if (text.charAt(i) === "\\" && quote !== "`") i += isEscaped ? 3 : 1;
  }
  return text.length;
}

/** Index of the end of a bare value, such as a number or Go's print of a struct: ": " or ", " outside of brackets. */
function endOfBare(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '"' || character === "`") i = endOfQuoted(text, i) - 1;
    else if ("{[(".includes(character)) depth++;
    else if ("}])".includes(character)) {
      if (depth === 0) return i;
      depth--;
    } else if (depth === 0 && (text.startsWith(": ", i) || text.startsWith(", ", i))) return i;
  }
  return text.length;
}

function endOfValue(text: string, start: number): number {
  return /^(?:\\?["']|`)/.test(text.slice(start, start + 2)) ? endOfQuoted(text, start) : endOfBare(text, start);
}

/** The field that stands before "Invalid value: ...", such as `spec.ports[0].name`. */
function fieldBefore(text: string): string | undefined {
  return /(?:^|[^\w$.\-\]])([A-Za-z_$][\w$-]*(?:\.[\w$-]+|\[[^\]]{0,500}\])*): $/.exec(
    text.slice(-maxFieldLength),
  )?.[1];
}

const maxFieldLength = 1000;

/** Whether the value of a field is to be masked; undefined where the message names none. */
export type IsHidden = (field: string | undefined) => boolean;

/**
 * Masks the values that a Kubernetes API server quotes in its messages ("Invalid value: ...", "Unsupported value: ...",
 * "Duplicate value: ...", decoder errors), all of them where nothing says which: they may be imported secrets. Field names, types and
 * the reason stay.
 */
export function redactQuoted(message: string, isHidden: IsHidden = () => true): string {
  let result = "";
  let end = 0;
  for (const match of message.matchAll(quotingPhrase)) {
    const start = match.index + match[0].length;
    // A phrase inside of a value that is masked already.
    if (match.index < end) continue;
    result += message.slice(end, start);
    end = endOfValue(message, start);
    const value = message.slice(start, end);
    result += typeName.test(value) || !isHidden(fieldBefore(message.slice(0, match.index))) ? value : redacted;
  }
  result += message.slice(end);
  return isHidden(undefined) ? result.replace(/(cannot unmarshal number )(?!into )\S+/g, `$1${redacted}`) : result;
}
