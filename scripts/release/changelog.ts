// Reads and changes CHANGELOG.md: sections of versions, newest first, below one for what is not released.

/** A section of a version. */
export interface ChangelogSection {
  readonly version: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Without the heading; trimmed. */
  readonly body: string;
}

export interface Changelog {
  /** Up to the section "Unreleased". */
  readonly introduction: string;
  /** Trimmed; "" when there is nothing to release. */
  readonly unreleased: string;
  /** Newest first. */
  readonly sections: readonly ChangelogSection[];
}

const heading = /^## (.*)$/m;
const versionHeading = /^(\S+) - (\d{4}-\d{2}-\d{2})$/;

/** Throws an error that names the heading that is not in order. */
export function parseChangelog(text: string): Changelog {
  const [introduction = "", first, unreleased = "", ...rest] = text.split(heading);
  if (first !== "Unreleased") {
    throw new Error(`CHANGELOG.md: expected "## Unreleased" as the first section, found ${found(first)}`);
  }
  const sections: ChangelogSection[] = [];
  for (let at = 0; at < rest.length; at += 2) {
    const title = rest[at] ?? "";
    const [, version, date] = versionHeading.exec(title) ?? [];
    if (version === undefined || date === undefined) {
      throw new Error(`CHANGELOG.md: expected "## VERSION - YYYY-MM-DD", found ${found(title)}`);
    }
    sections.push({ version, date, body: (rest[at + 1] ?? "").trim() });
  }
  return { introduction, unreleased: unreleased.trim(), sections };
}

const found = (title: string | undefined): string => (title === undefined ? "no section" : `"## ${title}"`);

/** The text with what was unreleased as the section of a version; "Unreleased" stays, empty. */
export function releaseChangelog(changelog: Changelog, version: string, date: string): string {
  const sections = [{ version, date, body: changelog.unreleased }, ...changelog.sections];
  const texts = sections.map((section) => `## ${section.version} - ${section.date}\n\n${section.body}\n`);
  return [`${changelog.introduction}## Unreleased\n`, ...texts].join("\n");
}
