/** Seconds of a test file: wall time, and processor time of its worker and of the programs that it has started and ended. */
export interface ProfiledFile {
  readonly testPath: string;
  readonly seconds: number;
  readonly processor: number;
}

/** Parses the lines that run-natively.mjs writes. */
export function parseProfile(text: string): readonly ProfiledFile[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ProfiledFile);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function formatRow(name: string, files: readonly ProfiledFile[]): string {
  const cells = [sum(files.map(({ seconds }) => seconds)), sum(files.map(({ processor }) => processor))];
  return `${cells.map((cell) => cell.toFixed(0).padStart(8)).join("")}  ${name}`;
}

/** The package or, of the suites, all of them together: "libs/api", "test-e2e". */
function areaOf(path: string): string {
  const parts = path.split("/");
  const depth = parts[0] === "libs" && parts[1] === "deployers" ? 3 : parts[0] === "test-e2e" ? 1 : 2;
  return parts.slice(0, depth).join("/");
}

/** A table of the areas and one of the `longest` files, both by wall time. Paths are relative to `root`. */
export function formatProfile(
  files: readonly ProfiledFile[],
  { root, longest }: { root: string; longest: number },
): string {
  const relative = files.map((file) => ({ ...file, testPath: file.testPath.replace(`${root}/`, "") }));
  const byTime = (a: readonly ProfiledFile[], b: readonly ProfiledFile[]): number =>
    sum(b.map(({ seconds }) => seconds)) - sum(a.map(({ seconds }) => seconds));
  const areas = [...new Set(relative.map(({ testPath }) => areaOf(testPath)))];
  const areaRows = areas
    .map((area) => ({ area, own: relative.filter(({ testPath }) => areaOf(testPath) === area) }))
    .toSorted((a, b) => byTime(a.own, b.own))
    .map(({ area, own }) => formatRow(area, own));
  const fileRows = relative
    .toSorted((a, b) => byTime([a], [b]))
    .slice(0, longest)
    .map((file) => formatRow(file.testPath, [file]));
  const head = " seconds  of CPU";
  return [head, ...areaRows, formatRow("all", relative), "", head, ...fileRows].join("\n");
}
