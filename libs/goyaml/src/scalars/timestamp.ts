const datePattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:([Tt ])(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Whether go-yaml takes an unquoted text for a timestamp: a valid date, alone or with a time. */
export function isTimestamp(text: string): boolean {
  // Most numbers are seen to be none without the pattern.
  if (text.charAt(4) !== "-") return false;
  const match = datePattern.exec(text);
  if (match === null) return false;
  const [, year, month, day, separator, hour, minute, second, zone] = match;
  if (!isDate(Number(year), Number(month), Number(day))) return false;
  if (separator === undefined) return true;
  // With "T" a zone must follow, after a space none may.
  if ((separator === " ") !== (zone === undefined)) return false;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  return zone === undefined || zone === "Z" || (Number(zone.slice(1, 3)) <= 24 && Number(zone.slice(4)) < 60);
}

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}
