/** "5m", "3h12m" ..., as kubectl prints ages. Models apimachinery/pkg/util/duration HumanDuration. */
export function formatAge(timestamp: string | undefined, now: number): string {
  if (timestamp === undefined || timestamp === "") return "<unknown>";
  return formatHumanDuration(now - Date.parse(timestamp));
}

/** Coarse text of a duration in milliseconds. */
export function formatHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, "m", { rest: seconds % 60, unit: "s" });
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, "h", { rest: minutes % 60, unit: "m" });
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return withRest(days, "d", { rest: hours % 24, unit: "h" });
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (years < 8) return withRest(years, "y", { rest: days % 365, unit: "d" });
  return `${years}y`;
}

function withRest(value: number, unit: string, second: { readonly rest: number; readonly unit: string }): string {
  return second.rest === 0 ? `${value}${unit}` : `${value}${unit}${second.rest}${second.unit}`;
}
