/** path.Clean of Go. */
export function cleanPath(path: string): string {
  if (path === "") return ".";
  const isRooted = path.startsWith("/");
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== "..") segments.pop();
    else if (!isRooted) segments.push("..");
  }
  const joined = segments.join("/");
  if (isRooted) return `/${joined}`;
  return joined === "" ? "." : joined;
}

/** path.Base of Go. */
export function baseName(path: string): string {
  if (path === "") return ".";
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  if (end === 0) return "/";
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

/** path.Dir of Go. */
export function directoryName(path: string): string {
  return cleanPath(path.slice(0, path.lastIndexOf("/") + 1));
}

/** path.Ext of Go: with its dot. */
export function extensionOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot < 0 || dot < path.lastIndexOf("/") ? "" : path.slice(dot);
}
