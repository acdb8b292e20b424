import { dayNames, daysInMonth, monthNames, secondsFromCivil } from "./calendar.ts";
import { GoTime } from "./go-time.ts";
import { parseLayout, type LayoutElement } from "./layout.ts";
import { quoteTime } from "./quote-time.ts";
import { fixedZone, utc, type TimeZone } from "./time-zone.ts";

/** Fields as they are read. */
interface Fields {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  isPm: boolean | undefined;
  offset: number | undefined;
  zoneName: string;
  /** Whether the layout itself has a fraction behind the seconds. */
  fractionFollows: boolean;
}

/** What a wrong value was: a range, or undefined for text that does not fit. */
class ParseProblem extends Error {
  readonly range: string | undefined;
  constructor(range?: string) {
    super("time does not fit its layout");
    this.range = range;
  }
}

/** time.Parse; a string is Go's error message. */
export function parseTime(layout: string, value: string): GoTime | string {
  const fields: Fields = {
    year: 0,
    month: -1,
    day: -1,
    yearDay: -1,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    isPm: undefined,
    offset: undefined,
    zoneName: "",
    fractionFollows: false,
  };
  const reader = new ValueReader(value);
  const elements = parseLayout(layout);
  for (const [i, element] of elements.entries()) {
    const before = reader.rest;
    fields.fractionFollows = elements[i + 1]?.kind === "fraction";
    try {
      readElement(element, reader, fields);
    } catch (error) {
      if (!(error instanceof ParseProblem)) throw error;
      if (error.range !== undefined) return `parsing time ${quoteTime(value)}: ${error.range} out of range`;
      const found = element.kind === "text" ? reader.rest : before;
      return `parsing time ${quoteTime(value)} as ${quoteTime(layout)}: cannot parse ${quoteTime(found)} as ${quoteTime(element.text)}`;
    }
  }
  if (reader.rest !== "") return `parsing time ${quoteTime(value)}: extra text: ${quoteTime(reader.rest)}`;
  return toTime(fields) ?? `parsing time ${quoteTime(value)}: day out of range`;
}

function toTime(fields: Fields): GoTime | undefined {
  let { month, day, hour } = fields;
  if (fields.yearDay >= 0) {
    const isLeap = daysInMonth(fields.year, 2) === 29;
    if (fields.yearDay < 1 || fields.yearDay > (isLeap ? 366 : 365)) return undefined;
    month = 1;
    day = fields.yearDay;
  } else {
    if (month < 0) month = 1;
    if (day < 0) day = 1;
    if (day < 1 || day > daysInMonth(fields.year, month)) return undefined;
  }
  if (fields.isPm === true && hour < 12) hour += 12;
  else if (fields.isPm === false && hour === 12) hour = 0;
  const local = secondsFromCivil({ ...fields, month, day, hour });
  const zone = zoneOf(fields);
  const offset = fields.offset ?? 0;
  return new GoTime(BigInt(local - offset) * 1_000_000_000n + BigInt(fields.nanosecond), zone);
}

function zoneOf({ offset, zoneName }: Fields): TimeZone {
  if (offset === undefined) return zoneName === "" || zoneName === "UTC" ? utc : fixedZone(zoneName, 0);
  return offset === 0 ? utc : fixedZone(zoneName, offset);
}

class ValueReader {
  rest: string;

  constructor(value: string) {
    this.rest = value;
  }

  take(pattern: RegExp): RegExpExecArray {
    const match = pattern.exec(this.rest);
    if (match === null) throw new ParseProblem();
    this.rest = this.rest.slice(match[0].length);
    return match;
  }

  /** One or two digits; exactly two if `fixed`. */
  number(fixed: boolean): number {
    return Number(this.take(fixed ? /^[0-9]{2}/ : /^[0-9]{1,2}/)[0]);
  }

  /** A name of the list, in any case, in full or its first three letters. */
  name(names: readonly string[], length: number | undefined): number {
    const lower = this.rest.toLowerCase();
    const index = names.findIndex((name) => lower.startsWith(name.slice(0, length).toLowerCase()));
    if (index < 0) throw new ParseProblem();
    this.rest = this.rest.slice((names[index] ?? "").slice(0, length).length);
    return index;
  }
}

function inRange(value: number, limits: readonly [from: number, to: number], what: string): number {
  if (value < limits[0] || value > limits[1]) throw new ParseProblem(what);
  return value;
}

function readElement(element: LayoutElement, reader: ValueReader, fields: Fields): void {
  switch (element.kind) {
    case "text":
      return readText(element.text, reader);
    case "longYear":
      fields.year = Number(reader.take(/^[0-9]{4}/)[0]);
      return;
    case "year": {
      const year = reader.number(true);
      fields.year = year >= 69 ? year + 1900 : year + 2000;
      return;
    }
    case "longMonth":
    case "month":
      fields.month = reader.name(monthNames, element.kind === "month" ? 3 : undefined) + 1;
      return;
    case "numMonth":
    case "zeroMonth":
      fields.month = inRange(reader.number(element.kind === "zeroMonth"), [1, 12], "month");
      return;
    case "longWeekday":
    case "weekday":
      reader.name(dayNames, element.kind === "weekday" ? 3 : undefined);
      return;
    case "day":
    case "underDay":
    case "zeroDay":
      if (element.kind === "underDay") reader.take(/^ ?/);
      fields.day = reader.number(element.kind === "zeroDay");
      return;
    case "underYearDay":
    case "zeroYearDay":
      fields.yearDay = Number(reader.take(element.kind === "zeroYearDay" ? /^[0-9]{3}/ : /^ {0,2}[0-9]{1,3}/)[0]);
      return;
    case "zoneName":
      return readZoneName(reader, fields);
    case "isoZone":
    case "numZone":
      return readOffset(element.kind, element.text, { reader, fields });
    case "fraction":
      return readFraction(element.text, reader, fields);
    case "hour24":
    case "hour12":
    case "zeroHour12":
    case "minute":
    case "zeroMinute":
    case "second":
    case "zeroSecond":
    case "upperPm":
    case "lowerPm":
      return readClock(element.kind, reader, fields);
  }
}

/** A run of spaces in the layout matches any run of spaces. */
function readText(text: string, reader: ValueReader): void {
  for (const [char] of text.matchAll(/ +|[^ ]/gu)) {
    // Spaces may be missing only at the end of the value.
    if (char.startsWith(" ")) reader.take(/^(?: +|$)/);
    else if (reader.rest.startsWith(char)) reader.rest = reader.rest.slice(char.length);
    else throw new ParseProblem();
  }
}

function readClock(
  kind: "hour24" | "hour12" | "zeroHour12" | "minute" | "zeroMinute" | "second" | "zeroSecond" | "upperPm" | "lowerPm",
  reader: ValueReader,
  fields: Fields,
): void {
  switch (kind) {
    case "hour24":
      fields.hour = inRange(reader.number(false), [0, 23], "hour");
      return;
    case "hour12":
    case "zeroHour12":
      fields.hour = inRange(reader.number(kind === "zeroHour12"), [0, 12], "hour");
      return;
    case "minute":
    case "zeroMinute":
      fields.minute = inRange(reader.number(kind === "zeroMinute"), [0, 59], "minute");
      return;
    case "second":
    case "zeroSecond":
      fields.second = inRange(reader.number(kind === "zeroSecond"), [0, 59], "second");
      // A fraction may follow also where the layout has none.
      if (!fields.fractionFollows && /^[.,][0-9]/.test(reader.rest)) {
        fields.nanosecond = nanosOf(reader.take(/^[.,][0-9]+/)[0]);
      }
      return;
    case "upperPm":
      fields.isPm = reader.take(/^(AM|PM)/)[0] === "PM";
      return;
    case "lowerPm":
      fields.isPm = reader.take(/^(am|pm)/)[0] === "pm";
  }
}

function nanosOf(fraction: string): number {
  return Number(fraction.slice(1, 10).padEnd(9, "0"));
}

function readFraction(text: string, reader: ValueReader, fields: Fields): void {
  if (text.charAt(1) === "9") {
    // It may be missing.
    if (/^[.,][0-9]/.test(reader.rest)) fields.nanosecond = nanosOf(reader.take(/^[.,][0-9]+/)[0]);
    return;
  }
  fields.nanosecond = nanosOf(reader.take(new RegExp(`^[.,][0-9]{${text.length - 1}}`))[0]);
}

function readZoneName(reader: ValueReader, fields: Fields): void {
  if (reader.rest.startsWith("UTC")) {
    reader.rest = reader.rest.slice(3);
    fields.offset = 0;
    fields.zoneName = "UTC";
    return;
  }
  const [name] = reader.take(/^([A-Z]{3,5}(?![A-Z])|[+-][0-9]{2}(?![0-9]))/);
  fields.zoneName = name ?? "";
}

function readOffset(
  kind: "isoZone" | "numZone",
  text: string,
  { reader, fields }: { reader: ValueReader; fields: Fields },
): void {
  if (kind === "isoZone" && reader.rest.startsWith("Z")) {
    reader.rest = reader.rest.slice(1);
    fields.offset = 0;
    return;
  }
  const colon = text.includes(":") ? ":" : "";
  const parts = text.slice(1).replaceAll(":", "").length / 2;
  const pattern = ["([0-9]{2})", `${colon}([0-9]{2})`, `${colon}([0-9]{2})`].slice(0, parts).join("");
  const [, sign, hour = "0", minute = "0", second = "0"] = reader.take(new RegExp(`^([+-])${pattern}`));
  inRange(Number(hour), [0, 24], "time zone offset hour");
  inRange(Number(minute), [0, 60], "time zone offset minute");
  const magnitude = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  fields.offset = sign === "-" ? -magnitude : magnitude;
}
