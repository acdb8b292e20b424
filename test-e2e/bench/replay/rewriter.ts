import { serverMetadataOf, type Exchange } from "./exchange.ts";

const uids = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const versions = /("resourceVersion": ?")(\d+)"/g;

/** Rewrites recorded requests to name the objects of a replay. */
export interface Rewriter {
  rewrite(text: string): string;
  /** Learns uid and version from the replay's answer to a recorded request. */
  learn(recorded: Pick<Exchange, "responseBody">, responseBody: string): void;
}

export interface RewriterOptions {
  /** Texts that are replaced literally, such as the namespace of the recording. */
  readonly texts: ReadonlyMap<string, string>;
  /** See ContractPicker. */
  readonly skipped?: ReadonlyMap<string, string>;
}

export function createRewriter({ texts, skipped = new Map() }: RewriterOptions): Rewriter {
  const byUid = new Map<string, string>();
  const byVersion = new Map<string, string>();
  const versionOf = (recorded: string): string => {
    let version = recorded;
    while (!byVersion.has(version)) {
      const before = skipped.get(version);
      if (before === undefined) return version;
      version = before;
    }
    return byVersion.get(version) ?? version;
  };
  return {
    rewrite(text) {
      let rewritten = text;
      for (const [from, to] of texts) rewritten = rewritten.replaceAll(from, to);
      return rewritten
        .replace(uids, (uid) => byUid.get(uid) ?? uid)
        .replace(versions, (_, head: string, version: string) => `${head}${versionOf(version)}"`);
    },
    learn({ responseBody }, replayed) {
      const [old, current] = [serverMetadataOf(responseBody), serverMetadataOf(replayed)];
      // A list has no uid, and the newest version of the whole storage: often that of the object that was written last.
      if (old.uid === undefined || current.uid === undefined) return;
      byUid.set(old.uid, current.uid);
      if (old.resourceVersion === undefined || current.resourceVersion === undefined) return;
      byVersion.set(old.resourceVersion, current.resourceVersion);
    },
  };
}
