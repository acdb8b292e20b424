import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parseChangelog, releaseChangelog } from "./changelog.ts";

const text = `# Changelog

What changes.

## Unreleased

- **New**: a thing.

## 0.2.0 - 2026-10-01

- Second.

## 0.1.0 - 2026-09-01

- First.
`;

describe("parseChangelog", () => {
  it("reads the sections of the project's own file", () => {
    const own = parseChangelog(readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8"));
    expect(own.introduction).toMatch(/^# Changelog\n/);
  });

  it("reads what is unreleased, and the versions", () => {
    expect(parseChangelog(text)).toEqual({
      introduction: "# Changelog\n\nWhat changes.\n\n",
      unreleased: "- **New**: a thing.",
      sections: [
        { version: "0.2.0", date: "2026-10-01", body: "- Second." },
        { version: "0.1.0", date: "2026-09-01", body: "- First." },
      ],
    });
  });

  it.each([
    ["no section", "# Changelog\n", 'CHANGELOG.md: expected "## Unreleased" as the first section, found no section'],
    [
      "a version without a date",
      "# Changelog\n\n## Unreleased\n\n## 1.0.0\n",
      'CHANGELOG.md: expected "## VERSION - YYYY-MM-DD", found "## 1.0.0"',
    ],
  ])("refuses %s", (_, bad, message) => {
    expect(() => parseChangelog(bad)).toThrow(new Error(message));
  });
});

describe("releaseChangelog", () => {
  it("gives what was unreleased to the version, and leaves an empty section for the next one", () => {
    const released = releaseChangelog(parseChangelog(text), "0.3.0", "2026-11-26");
    expect(released).toBe(
      text.replace("## Unreleased\n\n- **New**", "## Unreleased\n\n## 0.3.0 - 2026-11-26\n\n- **New**"),
    );
    expect(parseChangelog(released)).toMatchObject({ unreleased: "", sections: [{ version: "0.3.0" }, {}, {}] });
  });
});
