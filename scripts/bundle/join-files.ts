/** Source files that are loaded together, with the entries that load them. */
interface Group {
  readonly entries: ReadonlySet<string>;
  readonly files: readonly string[];
  readonly bytes: number;
}

/** Source files that each entry loads. */
export type LoadedSources = ReadonlyMap<string, ReadonlySet<string>>;

interface JoinOptions {
  readonly loads: LoadedSources;
  /** Entries that must not load more. Their files are not joined with others. */
  readonly fixed: ReadonlySet<string>;
  /** Entries that must load only what they use. Their files may be joined with others that they use. */
  readonly lean: ReadonlySet<string>;
  readonly sizeOf: (file: string) => number;
  /** Source files that a source file imports. */
  readonly importsOf: (file: string) => readonly string[];
}

/** Bytes of code that take as long to load as one more file. Measured with the command, with a filled compile cache of V8. */
const bytesPerFile = 20_000;

/** Maximum size of the unused code that one entry loads, in bytes. */
const maxUnusedBytes = 60_000;

/** Groups the files by the entries that load them: a bundle has one file per group. */
function groupFiles({ loads, sizeOf }: Pick<JoinOptions, "loads" | "sizeOf">): Group[] {
  const entriesOf = new Map<string, Set<string>>();
  for (const [entry, files] of loads) {
    for (const file of files) entriesOf.set(file, (entriesOf.get(file) ?? new Set()).add(entry));
  }
  const groups = new Map<string, Group>();
  for (const [file, entries] of [...entriesOf].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const key = [...entries].toSorted().join("\n");
    const { files = [], bytes = 0 } = groups.get(key) ?? {};
    groups.set(key, { entries, files: [...files, file], bytes: bytes + sizeOf(file) });
  }
  return [...groups.values()];
}

const without = (entries: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...entries].filter((entry) => !others.has(entry));

/** Returns the bytes of code whose loading time all entries save together if the groups become one file. */
function savingOf(a: Group, b: Group): number {
  const [onlyA, onlyB] = [without(a.entries, b.entries), without(b.entries, a.entries)];
  return bytesPerFile * (a.entries.size - onlyA.length) - onlyA.length * b.bytes - onlyB.length * a.bytes;
}

/** Joins files that mostly the same entries load, if loading one file fewer saves more time than loading the unused code takes. Returns the source files that each entry then loads. */
export function joinFiles(options: JoinOptions): LoadedSources {
  const { fixed, lean } = options;
  const all = groupFiles(options);
  // An entry's own file is the command itself: other commands must not evaluate it.
  const kept = all.filter(
    ({ entries, files }) =>
      without(entries, fixed).length < entries.size || files.some((file) => options.loads.has(file)),
  );
  const unused = new Map<string, number>();
  let groups = all.filter((group) => !kept.includes(group));
  /** Whether the entries that load `a` but not `b` may also load `b`: their unused code stays within its limit, and they already load all imports of `b`. */
  const isAcceptable = (a: Group, b: Group): boolean => {
    const added = without(a.entries, b.entries);
    if (added.some((entry) => lean.has(entry) || (unused.get(entry) ?? 0) + b.bytes > maxUnusedBytes)) return false;
    const imported = new Set(b.files.flatMap((file) => options.importsOf(file)));
    const needed = [...kept, ...groups].filter(
      (group) => group !== a && group !== b && group.files.some((file) => imported.has(file)),
    );
    return needed.every(({ entries }) => added.every((entry) => entries.has(entry)));
  };
  for (;;) {
    const pairs = groups.flatMap((a, index) => groups.slice(index + 1).map((b) => ({ a, b, saving: savingOf(a, b) })));
    const best = pairs
      .filter(({ a, b, saving }) => saving > 0 && isAcceptable(a, b) && isAcceptable(b, a))
      .reduce<(typeof pairs)[number] | undefined>(
        (one, other) => (other.saving > (one?.saving ?? 0) ? other : one),
        undefined,
      );
    if (best === undefined) break;
    const { a, b } = best;
    for (const entry of without(a.entries, b.entries)) unused.set(entry, (unused.get(entry) ?? 0) + b.bytes);
    for (const entry of without(b.entries, a.entries)) unused.set(entry, (unused.get(entry) ?? 0) + a.bytes);
    const joined = {
      entries: new Set([...a.entries, ...b.entries]),
      files: [...a.files, ...b.files],
      bytes: a.bytes + b.bytes,
    };
    groups = [...groups.filter((group) => group !== a && group !== b), joined];
  }
  const filesOf = (entry: string): Set<string> =>
    new Set([...kept, ...groups].filter(({ entries }) => entries.has(entry)).flatMap(({ files }) => files));
  return new Map([...options.loads.keys()].map((entry) => [entry, filesOf(entry)]));
}
