import { secondsFromCivil } from "./calendar.ts";

/** A place's rules, or a fixed offset. */
export interface TimeZone {
  /** Go's name of the location. */
  readonly name: string;
  /** Offset and abbreviation at an instant. */
  at(unixSeconds: number): ZoneInstant;
}

export interface ZoneInstant {
  /** Seconds east of UTC. */
  readonly offset: number;
  readonly abbreviation: string;
}

export const utc: TimeZone = { name: "UTC", at: () => ({ offset: 0, abbreviation: "UTC" }) };

/** A zone with one offset, such as a parsed "+02:00"; without a name it shows as its offset. */
export function fixedZone(abbreviation: string, offset: number): TimeZone {
  return { name: abbreviation, at: () => ({ offset, abbreviation }) };
}

/** Zones that were asked for: making one takes longer than most templates. */
const knownZones = new Map<string, TimeZone>();
const maxKnownZones = 100;

/** A zone of the IANA database by name, "UTC" and "" as well; "Local" is UTC, because templates do not see the host. */
export function findTimeZone(name: string): TimeZone | undefined {
  if (name === "" || name === "UTC" || name === "Local") return utc;
  const known = knownZones.get(name);
  if (known !== undefined) return known;
  if (!/^[A-Za-z0-9_+/-]+$/.test(name)) return undefined;
  try {
    const zone = ianaZone(name);
    if (knownZones.size >= maxKnownZones) knownZones.clear();
    knownZones.set(name, zone);
    return zone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function ianaZone(name: string): TimeZone {
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    era: "short",
  });
  const formats: Intl.DateTimeFormat[] = [];
  return {
    name,
    at(unixSeconds) {
      const offset = offsetAt(clock, unixSeconds);
      return { offset, abbreviation: abbreviationAt({ timeZone: name, formats }, unixSeconds, offset) };
    },
  };
}

function offsetAt(clock: Intl.DateTimeFormat, unixSeconds: number): number {
  const parts = new Map(clock.formatToParts(new Date(unixSeconds * 1000)).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const year = parts.get("era") === "BC" ? 1 - part("year") : part("year");
  const civil = {
    year,
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
  };
  return secondsFromCivil(civil) - Math.floor(unixSeconds);
}

const locales = ["en-US", "en-GB", "en-AU", "en-IN", "en-ZA", "en-NZ"];

/** What writes the names of a zone, by the index of its locale, as far as it was needed. */
interface ZoneNames {
  readonly timeZone: string;
  readonly formats: Intl.DateTimeFormat[];
}

/** Abbreviations come from the locales that have them; else the offset, as Go prints zones without letters. */
function abbreviationAt({ timeZone, formats }: ZoneNames, unixSeconds: number, offset: number): string {
  for (const [index, locale] of locales.entries()) {
    formats[index] ??= new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" });
    const parts = formats[index].formatToParts(new Date(unixSeconds * 1000));
    const name = parts.find(({ type }) => type === "timeZoneName")?.value;
    if (name !== undefined && /^[A-Z]{3,5}$/.test(name)) return name;
  }
  return offsetText(offset, { colon: false, seconds: false });
}

/** "+0200", "+02:00" or with seconds. */
export function offsetText(offset: number, style: { colon: boolean; seconds: boolean }): string {
  const sign = offset < 0 ? "-" : "+";
  const magnitude = Math.abs(offset);
  const pad = (value: number): string => String(value).padStart(2, "0");
  const colon = style.colon ? ":" : "";
  const text = `${sign}${pad(Math.floor(magnitude / 3600))}${colon}${pad(Math.floor(magnitude / 60) % 60)}`;
  return style.seconds ? `${text}${colon}${pad(magnitude % 60)}` : text;
}
