import { define } from "../value/define-function.ts";
import { GoInt, int, int64 } from "../value/go-int.ts";
import { GoNilPointer, GoObject, type GoFunction, type Value } from "../value/value.ts";
import {
  civilFromSeconds,
  dayNames,
  monthNames,
  secondsFromCivil,
  weekdayOf,
  yearDayOf,
  type CivilTime,
} from "./calendar.ts";
import { formatTime } from "./format-time.ts";
import { formatGoDuration } from "./go-duration.ts";
import { utc, type TimeZone, type ZoneInstant } from "./time-zone.ts";

const nanosPerSecond = 1_000_000_000n;
/** From the year 1 to 1970. */
const secondsBeforeUnix = 62_135_596_800n;

/** A Go time.Time. */
export class GoTime extends GoObject {
  readonly typeName = "time.Time";
  /** Nanoseconds since 1970. */
  readonly nanos: bigint;
  readonly zone: TimeZone;

  constructor(nanos: bigint, zone: TimeZone = utc) {
    super();
    this.nanos = nanos;
    this.zone = zone;
  }

  static fromDate(date: Date): GoTime {
    return new GoTime(BigInt(date.getTime()) * 1_000_000n);
  }

  static fromUnix(seconds: bigint): GoTime {
    return new GoTime(seconds * nanosPerSecond);
  }

  get unixSeconds(): bigint {
    return this.nanos >= 0n ? this.nanos / nanosPerSecond : -((-this.nanos + nanosPerSecond - 1n) / nanosPerSecond);
  }

  get nanosecond(): number {
    return Number(this.nanos - this.unixSeconds * nanosPerSecond);
  }

  get zoneInstant(): ZoneInstant {
    return this.zone.at(Number(this.unixSeconds));
  }

  get civil(): CivilTime {
    return civilFromSeconds(Number(this.unixSeconds) + this.zoneInstant.offset);
  }

  in(zone: TimeZone): GoTime {
    return new GoTime(this.nanos, zone);
  }

  format(layout: string): string {
    return formatTime(this, layout);
  }

  override text(): string {
    return this.format("2006-01-02 15:04:05.999999999 -0700 MST");
  }

  override toJSON(): unknown {
    return this.format("2006-01-02T15:04:05.999999999Z07:00");
  }

  override isEqual(other: GoObject): boolean {
    return other instanceof GoTime && other.nanos === this.nanos && other.zone.name === this.zone.name;
  }

  /** What Go keeps inside, as verbs show it that times do not know; the zone is nil in UTC, else an address. */
  override fields(): readonly (readonly [name: string, value: Value])[] {
    return [
      ["wall", new GoInt("uint64", this.nanosecond)],
      ["ext", int64(this.unixSeconds + secondsBeforeUnix)],
      ["loc", new GoNilPointer("*time.Location")],
    ];
  }

  override method(name: string): GoFunction | undefined {
    return Object.hasOwn(methods, name) ? methods[name]?.(this) : undefined;
  }
}

/** The zero time, January 1 of year 1. */
export const zeroTime = GoTime.fromUnix(
  BigInt(secondsFromCivil({ year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0 })),
);

type Method = (time: GoTime) => GoFunction;

function getter(read: (time: GoTime) => Value): Method {
  return (time) => define([], () => read(time));
}

function named(kind: "time.Month" | "time.Weekday", value: number, names: readonly string[]): GoInt {
  const first = kind === "time.Month" ? 1 : 0;
  return new GoInt("int", BigInt(value), {
    typeName: kind,
    format: (index) => names[Number(index) - first] ?? `%!${kind.slice(5)}(${index})`,
    methods: {},
  });
}

/** A time.Duration of this many nanoseconds. */
export function goDuration(nanos: bigint): GoInt {
  return new GoInt("int64", nanos, { typeName: "time.Duration", format: formatGoDuration, methods: {} });
}

const methods: Readonly<Record<string, Method>> = {
  Year: getter(({ civil }) => int(civil.year)),
  Month: getter(({ civil }) => named("time.Month", civil.month, monthNames)),
  Day: getter(({ civil }) => int(civil.day)),
  Hour: getter(({ civil }) => int(civil.hour)),
  Minute: getter(({ civil }) => int(civil.minute)),
  Second: getter(({ civil }) => int(civil.second)),
  Nanosecond: getter(({ nanosecond }) => int(nanosecond)),
  Weekday: getter(({ civil }) => named("time.Weekday", weekdayOf(civil), dayNames)),
  YearDay: getter(({ civil }) => int(yearDayOf(civil))),
  Unix: getter(({ unixSeconds }) => int64(unixSeconds)),
  UnixMilli: getter(({ nanos }) => int64(nanos / 1_000_000n)),
  UnixMicro: getter(({ nanos }) => int64(nanos / 1_000n)),
  UnixNano: getter(({ nanos }) => int64(nanos)),
  UTC: getter((time) => time.in(utc)),
  Local: getter((time) => time.in(utc)),
  IsZero: getter(({ nanos }) => nanos === zeroTime.nanos),
  String: getter((time) => time.text()),
  Format: (time) => define(["string"], ([layout]) => time.format(layout)),
  Before: (time) => define(["time.Time"], ([other]) => time.nanos < nanosOf(other)),
  After: (time) => define(["time.Time"], ([other]) => time.nanos > nanosOf(other)),
  Equal: (time) => define(["time.Time"], ([other]) => time.nanos === nanosOf(other)),
  Sub: (time) => define(["time.Time"], ([other]) => goDuration(time.nanos - nanosOf(other))),
  AddDate: (time) =>
    define(["int", "int", "int"], ([years, months, days]) => {
      const { civil } = time;
      const moved = {
        ...civil,
        year: civil.year + years.toNumber(),
        month: civil.month + months.toNumber(),
        day: civil.day + days.toNumber(),
      };
      const local = BigInt(secondsFromCivil(moved) - time.zoneInstant.offset);
      return new GoTime(local * nanosPerSecond + BigInt(time.nanosecond), time.zone);
    }),
};

function nanosOf(other: GoObject): bigint {
  return other instanceof GoTime ? other.nanos : 0n;
}
