import { dayNames, monthNames, weekdayOf, yearDayOf, type CivilTime } from "./calendar.ts";
import type { GoTime } from "./go-time.ts";
import { parseLayout, type LayoutElement } from "./layout.ts";
import { offsetText, type ZoneInstant } from "./time-zone.ts";

interface Moment {
  readonly civil: CivilTime;
  readonly nanosecond: number;
  readonly zone: ZoneInstant;
}

/** time.Time.Format. */
export function formatTime(time: GoTime, layout: string): string {
  const moment: Moment = { civil: time.civil, nanosecond: time.nanosecond, zone: time.zoneInstant };
  return parseLayout(layout)
    .map((element) => formatElement(element, moment))
    .join("");
}

function pad(value: number, width: number, fill = "0"): string {
  return String(value).padStart(width, fill);
}

function formatElement({ kind, text }: LayoutElement, { civil, nanosecond, zone }: Moment): string {
  switch (kind) {
    case "text":
      return text;
    case "longYear":
      return civil.year < 0 ? `-${pad(-civil.year, 4)}` : pad(civil.year, 4);
    case "year":
      return pad(((civil.year % 100) + 100) % 100, 2);
    case "longMonth":
      return monthNames[civil.month - 1] ?? "";
    case "month":
      return (monthNames[civil.month - 1] ?? "").slice(0, 3);
    case "numMonth":
      return String(civil.month);
    case "zeroMonth":
      return pad(civil.month, 2);
    case "longWeekday":
      return dayNames[weekdayOf(civil)] ?? "";
    case "weekday":
      return (dayNames[weekdayOf(civil)] ?? "").slice(0, 3);
    case "day":
      return String(civil.day);
    case "underDay":
      return pad(civil.day, 2, " ");
    case "zeroDay":
      return pad(civil.day, 2);
    case "underYearDay":
      return pad(yearDayOf(civil), 3, " ");
    case "zeroYearDay":
      return pad(yearDayOf(civil), 3);
    case "fraction":
      return formatFraction(text, nanosecond);
    case "numZone":
    case "isoZone":
      return formatOffset(kind, text, zone.offset);
    case "zoneName":
      return zone.abbreviation === "" ? offsetText(zone.offset, { colon: false, seconds: false }) : zone.abbreviation;
    case "hour24":
    case "hour12":
    case "zeroHour12":
    case "minute":
    case "zeroMinute":
    case "second":
    case "zeroSecond":
    case "upperPm":
    case "lowerPm":
      return formatClock(kind, civil);
  }
}

type ClockKind =
  | "hour24"
  | "hour12"
  | "zeroHour12"
  | "minute"
  | "zeroMinute"
  | "second"
  | "zeroSecond"
  | "upperPm"
  | "lowerPm";

function formatClock(kind: ClockKind, { hour, minute, second }: CivilTime): string {
  const hour12 = hour % 12 === 0 ? 12 : hour % 12;
  switch (kind) {
    case "hour24":
      return pad(hour, 2);
    case "hour12":
      return String(hour12);
    case "zeroHour12":
      return pad(hour12, 2);
    case "minute":
      return String(minute);
    case "zeroMinute":
      return pad(minute, 2);
    case "second":
      return String(second);
    case "zeroSecond":
      return pad(second, 2);
    case "upperPm":
      return hour >= 12 ? "PM" : "AM";
    case "lowerPm":
      return hour >= 12 ? "pm" : "am";
  }
}

/** ".000" gives that many digits, ".999" drops trailing zeros, with the point if all are. */
function formatFraction(text: string, nanosecond: number): string {
  const digits = pad(nanosecond, 9)
    .slice(0, text.length - 1)
    .padEnd(text.length - 1, "0");
  if (text.charAt(1) === "0") return text.charAt(0) + digits;
  const short = digits.replace(/0+$/, "");
  return short === "" ? "" : text.charAt(0) + short;
}

function formatOffset(kind: "numZone" | "isoZone", text: string, offset: number): string {
  if (kind === "isoZone" && offset === 0) return "Z";
  const style = text.slice(1);
  if (style === "07") return offsetText(offset, { colon: false, seconds: false }).slice(0, 3);
  return offsetText(offset, { colon: style.includes(":"), seconds: style === "07:00:00" || style === "070000" });
}
