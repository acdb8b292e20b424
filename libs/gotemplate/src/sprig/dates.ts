import {
  type CallContext,
  FunctionError,
  type FunctionMap,
  GoInt,
  type GoObject,
  GoTime,
  type Value,
  define,
  findTimeZone,
  formatGoDuration,
  parseGoDuration,
  parseTime,
  utc,
  zeroTime,
} from "@landscaper/golang";
import { atoi } from "./cast.ts";

const second = 1_000_000_000n;

function now(context: CallContext): GoTime {
  return GoTime.fromDate(context.now());
}

/** A time, or seconds since 1970 as an integer; anything else is now. */
function timeOf(value: Value, context: CallContext): GoTime {
  if (value instanceof GoTime) return value;
  if (value instanceof GoInt && value.named === undefined && ["int", "int32", "int64"].includes(value.kind)) {
    return GoTime.fromUnix(value.value);
  }
  return now(context);
}

function formatIn(layout: string, time: GoTime, zone: string): string {
  return time.in(findTimeZone(zone) ?? utc).format(layout);
}

function asTime(value: GoObject): GoTime {
  // The executor has checked that it is a time.Time, of which this is the only class.
  if (value instanceof GoTime) return value;
  throw new FunctionError("expected a time");
}

function modify(duration: string, time: GoTime): GoTime | string {
  const nanos = parseGoDuration(duration);
  return typeof nanos === "string" ? nanos : new GoTime(time.nanos + nanos, time.zone);
}

/** Rounds to whole seconds, halves away from zero. */
function roundToSeconds(nanos: bigint): bigint {
  const sign = nanos < 0n ? -1n : 1n;
  return sign * (((nanos * sign + second / 2n) / second) * second);
}

function durationOf(value: Value): bigint {
  if (typeof value === "string") return atoi(value);
  return value instanceof GoInt && value.kind === "int64" && value.named === undefined ? value.value : 0n;
}

function durationToRound(value: Value, context: CallContext): bigint {
  if (typeof value === "string") {
    const nanos = parseGoDuration(value);
    return typeof nanos === "string" ? 0n : nanos;
  }
  if (value instanceof GoTime) return now(context).nanos - value.nanos;
  return value instanceof GoInt && value.kind === "int64" && value.named === undefined ? value.value : 0n;
}

const hour = 3600n * second;
const roundUnits: readonly (readonly [size: bigint, unit: string])[] = [
  [hour * 24n * 365n, "y"],
  [hour * 24n * 30n, "mo"],
  [hour * 24n, "d"],
  [hour, "h"],
  [60n * second, "m"],
  [second, "s"],
];

function roundDuration(nanos: bigint): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  for (const [size, unit] of roundUnits) if (magnitude > size) return `${magnitude / size}${unit}`;
  return "0s";
}

const dateInZone = define(["string", "any", "string"], ([layout, date, zone], context) =>
  formatIn(layout, timeOf(date, context), zone),
);
const dateModify = define(["string", "time.Time"], ([duration, date]) => {
  const time = asTime(date);
  const modified = modify(duration, time);
  return typeof modified === "string" ? time : modified;
});
const mustDateModify = define(["string", "time.Time"], ([duration, date]) => {
  const modified = modify(duration, asTime(date));
  if (typeof modified === "string") throw new FunctionError(modified);
  return modified;
});

/** Dates. The local zone is UTC: templates do not see the host. */
export const dateFunctions: FunctionMap = {
  now: define([], (_, context) => now(context)),
  date: define(["string", "any"], ([layout, date], context) => formatIn(layout, timeOf(date, context), "UTC")),
  dateInZone,
  date_in_zone: dateInZone,
  htmlDate: define(["any"], ([date], context) => formatIn("2006-01-02", timeOf(date, context), "UTC")),
  htmlDateInZone: define(["any", "string"], ([date, zone], context) =>
    formatIn("2006-01-02", timeOf(date, context), zone),
  ),
  dateModify,
  date_modify: dateModify,
  mustDateModify,
  must_date_modify: mustDateModify,
  ago: define(["any"], ([date], context) =>
    formatGoDuration(roundToSeconds(now(context).nanos - timeOf(date, context).nanos)),
  ),
  duration: define(["any"], ([seconds]) => formatGoDuration(BigInt.asIntN(64, durationOf(seconds) * second))),
  durationRound: define(["any"], ([duration], context) => roundDuration(durationToRound(duration, context))),
  toDate: define(["string", "string"], ([layout, text]) => {
    const time = parseTime(layout, text);
    return typeof time === "string" ? zeroTime : time;
  }),
  mustToDate: define(["string", "string"], ([layout, text]) => {
    const time = parseTime(layout, text);
    if (typeof time === "string") throw new FunctionError(time);
    return time;
  }),
  unixEpoch: define(["time.Time"], ([date]) => String(asTime(date).unixSeconds)),
};
