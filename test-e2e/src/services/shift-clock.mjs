// Loaded before a service: the time of day of the process and its threads is ahead by CLOCK_AHEAD_MS, or behind by a negative number. Spans and timers do not change.
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
const SystemDate = globalThis.Date;

class ShiftedDate extends SystemDate {
  constructor(...args) {
    super(...(args.length === 0 ? [SystemDate.now() + aheadMs] : args));
  }

  static now() {
    return SystemDate.now() + aheadMs;
  }
}

globalThis.Date = ShiftedDate;
