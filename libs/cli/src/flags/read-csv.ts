/**
 * The fields of one line with "," between them, as Go's encoding/csv reads them: a field in quotes may hold commas, and
 * "" stands for a quote in it. Throws RangeError with its words.
 */
export function readCsv(line: string): string[] {
  const fields: string[] = [];
  if (line === "") return fields;
  let at = 0;
  do {
    const field = line[at] === '"' ? readQuoted(line, at) : readPlain(line, at);
    fields.push(field.text);
    at = field.end + 1;
  } while (at <= line.length);
  return fields;
}

interface Field {
  readonly text: string;
  /** Where the comma behind it stands, or the end. */
  readonly end: number;
}

function readPlain(line: string, start: number): Field {
  const comma = line.indexOf(",", start);
  const end = comma < 0 ? line.length : comma;
  const text = line.slice(start, end);
  const quote = text.indexOf('"');
  if (quote >= 0) throw problem(start + quote, 'bare " in non-quoted-field');
  return { text, end };
}

function readQuoted(line: string, start: number): Field {
  let text = "";
  let at = start + 1;
  for (;;) {
    const quote = line.indexOf('"', at);
    if (quote < 0) throw problem(line.length, 'extraneous or missing " in quoted-field');
    text += line.slice(at, quote);
    const behind = line[quote + 1];
    if (behind === undefined || behind === ",") return { text, end: quote + 1 };
    if (behind !== '"') throw problem(quote, 'extraneous or missing " in quoted-field');
    text += '"';
    at = quote + 2;
  }
}

function problem(at: number, text: string): RangeError {
  return new RangeError(`parse error on line 1, column ${at + 1}: ${text}`);
}
