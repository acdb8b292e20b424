/** What a folder has under a name. */
export type FolderEntry = { readonly name: string } & (
  | { readonly kind: "file"; readonly bytes: number }
  | { readonly kind: "folder" }
  | { readonly kind: "link"; readonly target: string }
  /** A device, socket or pipe. */
  | { readonly kind: "irregular" }
);

/** A folder that a chart is in. Paths begin at it, have "/" between names, and follow no links; "" is the folder itself. */
export interface ChartFolder {
  /** How messages call it. */
  readonly label: string;
  entries(path: string): readonly FolderEntry[];
  read(path: string): Uint8Array;
}

/** The content of a file, or where a link leads. */
export type ListedEntry = Uint8Array | { readonly link: string };

/** A folder in memory, by the paths of its files and links. */
export function folderOf(listing: ReadonlyMap<string, ListedEntry>, label = ""): ChartFolder {
  const folders = new Map<string, Map<string, FolderEntry>>([["", new Map()]]);
  const addTo = (folder: string, entry: FolderEntry): void => {
    const known = folders.get(folder);
    if (known !== undefined) known.set(entry.name, entry);
    else {
      folders.set(folder, new Map([[entry.name, entry]]));
      const { parent, name } = splitPath(folder);
      addTo(parent, { name, kind: "folder" });
    }
  };
  for (const [path, content] of listing) {
    const { parent, name } = splitPath(path);
    if (content instanceof Uint8Array) addTo(parent, { name, kind: "file", bytes: content.length });
    else addTo(parent, { name, kind: "link", target: content.link });
  }
  return {
    label,
    entries: (path) => [...(folders.get(path)?.values() ?? [])],
    read: (path) => {
      const content = listing.get(path);
      return content instanceof Uint8Array ? content : new Uint8Array();
    },
  };
}

export function splitPath(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf("/");
  return { parent: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}
