const types = String.raw`(?:string|number|array|object|bool)`;
const example = String.raw`[^"]{0,200}?\(e\.g\. [^"]{0,200}?'\)`;
const consists = String.raw`must consist of (?:lower case )?alphanumeric characters`;

/** Words of API servers and of the decoders behind them that stand in their messages whatever they were sent. */
const phrases: readonly string[] = [
  String.raw`\bcannot unmarshal ${types}\b`,
  String.raw`\binto Go (?:struct field [\w.]+|value) of type [\w.*[\]]+`,
  String.raw`^[A-Z]\w*(?:\.[a-z][\w.-]*)? (?=")`,
  String.raw`^[a-z]\w*(?:\.[a-z][\w.-]*)? (?=")`,
  String.raw`\bis (?:invalid|forbidden): `,
  String.raw`(?<![\w$.\-\]])[A-Za-z_$][\w$-]*(?:\.[\w$-]+|\[\d+\])*: (?=(?:Invalid|Unsupported|Duplicate|Required) value|Forbidden: |Too (?:long|many|few): |Not found: )`,
  String.raw`\b(?:(?:Invalid|Unsupported|Duplicate|Required) value|Forbidden|Too (?:long|many|few)|Not found)\b`,
  String.raw`\bsupported values: (?:"[^"]*"(?:, )?)+`,
  String.raw`\bin body must be of type \w+`,
  String.raw`\bmust be (?:greater|less) than(?: or equal to)?\b`,
  String.raw`\bmust be no more than \d+ (?:characters|bytes)`,
  String.raw`\b(?:cannot be handled as an?|in version "\w+" cannot be handled as)\b`,
  String.raw`\bfield is immutable\b`,
  String.raw`\bstrict decoding error: unknown field\b`,
  String.raw`\bfailed to create typed patch object\b`,
  String.raw`\bfield not declared in schema\b`,
  String.raw`\ba (?:lowercase RFC 1123|DNS-1035) (?:label|subdomain) ${consists}${example}`,
  String.raw`\ba valid label must be an empty string or consist of alphanumeric characters${example}`,
  String.raw`\bname part ${consists}${example}`,
  String.raw`\badmission webhook\b`,
  String.raw`\bdenied the request\b`,
];

/** What a message of an API server says of its own: nothing inside of a match was sent to it. */
export const fixedWords = new RegExp(phrases.join("|"), "g");
