import { GoTime, parseTime } from "@landscaper/golang";

/** Dates and times without an offset stand in zones of their own, by whose names they are told apart. */
function localZone(name: string): GoTime["zone"] {
  return { name, at: () => ({ offset: 0, abbreviation: name }) };
}

const forms: readonly { readonly layout: string; readonly zone?: GoTime["zone"]; readonly layoutOut: string }[] = [
  { layout: "2006-01-02T15:04:05.999999999Z07:00", layoutOut: "2006-01-02T15:04:05.999999999Z07:00" },
  { layout: "2006-01-02T15:04Z07:00", layoutOut: "2006-01-02T15:04:05.999999999Z07:00" },
  local("2006-01-02T15:04:05.999999999", "datetime-local"),
  local("2006-01-02T15:04", "datetime-local", "2006-01-02T15:04:05.999999999"),
  local("2006-01-02", "date-local"),
  local("15:04:05.999999999", "time-local"),
  local("15:04", "time-local", "15:04:05.999999999"),
];

function local(layout: string, zoneName: string, layoutOut = layout): (typeof forms)[number] {
  return { layout, zone: localZone(zoneName), layoutOut };
}

/** A TOML date or time; undefined for what is none. */
export function readTomlTime(text: string): GoTime | undefined {
  const normal = text.toUpperCase();
  for (const { layout, zone } of forms) {
    const time = parseTime(layout, normal);
    if (time instanceof GoTime) return zone === undefined ? time : new GoTime(time.nanos, zone);
  }
  return undefined;
}

/** A time in the form that it was read from. */
export function tomlTime(time: GoTime): string {
  const form = forms.find(({ zone }) => zone?.name === time.zone.name) ?? forms[0];
  return time.format(form?.layoutOut ?? "");
}
