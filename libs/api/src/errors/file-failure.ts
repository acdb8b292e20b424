/** A failed call of the file system in the words of Landscaper. */
export interface FileFailure {
  /** "cannot open /data/values.yaml: there is no such file or folder" */
  readonly message: string;
  readonly remedy: string;
}

type Words = readonly [problem: string, remedy: string];

const denied: Words = ["permission denied", "Grant the user of this process access, or choose another path"];
const tooMany: Words = ["this process or the system has too many open files", "Raise the limit of open files"];
const other: Words = ["the file system refuses the call", "Check the path and its file system"];

const words: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["EACCES", denied],
  ["EPERM", denied],
  ["EBUSY", ["it is in use", "End the program that uses it, and retry"]],
  ["EEXIST", ["it already exists", "Choose another path, or remove what exists"]],
  ["EFBIG", ["the file is too large", "Use a smaller file"]],
  ["EIO", ["the device reports an error", "Check the device and the log of the system"]],
  ["EISDIR", ["it is a folder", "Name a file"]],
  ["ELOOP", ["its symbolic links form a ring", "Correct the links"]],
  ["EMFILE", tooMany],
  ["ENAMETOOLONG", ["its name is too long", "Use a shorter name"]],
  ["ENFILE", tooMany],
  ["ENOENT", ["there is no such file or folder", "Correct the path"]],
  ["ENOMEM", ["the system has too little memory", "Free memory, or raise the memory limit"]],
  ["ENOSPC", ["no space is left on its device", "Free space, or choose another path"]],
  ["ENOTDIR", ["a part of the path is not a folder", "Correct the path"]],
  ["ENOTEMPTY", ["the folder is not empty", "Empty the folder, or choose another path"]],
  ["EROFS", ["its file system is read-only", "Choose another path"]],
  ["EXDEV", ["source and destination are on different file systems", "Choose a path on the same file system"]],
]);

const verbs: Readonly<Record<string, string>> = {
  access: "find",
  lstat: "find",
  mkdir: "create the folder",
  mkdtemp: "create the folder",
  realpath: "find",
  rename: "rename",
  rm: "remove",
  rmdir: "remove the folder",
  scandir: "list",
  opendir: "list",
  stat: "find",
  unlink: "remove",
};

/** Calls of the network: their failures are not failures of the file system. */
const networkCalls = new Set(["connect", "getaddrinfo", "bind", "listen", "accept", "shutdown"]);

/**
 * Explains an error that a call of the file system has thrown, without the text of Node.js. `file` is the path in the message if the error has none: the
 * errors of calls on open files name no path. Returns undefined for other errors.
 */
export function describeFileFailure(error: unknown, file = "a file"): FileFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path, address } = error as Error & Readonly<Record<string, unknown>>;
  if (typeof code !== "string" || typeof syscall !== "string" || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  if (address !== undefined || networkCalls.has(syscall) || syscall.startsWith("query")) return undefined;
  const [problem, remedy] = words.get(code) ?? [`${other[0]} (${code})`, other[1]];
  const verb = Object.hasOwn(verbs, syscall) ? verbs[syscall] : syscall;
  return { message: `cannot ${verb} ${typeof path === "string" ? path : file}: ${problem}`, remedy };
}

/** Identifies an error of a library without its text: returns its code, else its type. */
export function identifyError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, name } = error as Error & { readonly code?: unknown };
  const isIdentifier = (text: unknown): text is string => typeof text === "string" && /^\w{1,60}$/.test(text);
  return [code, name].find(isIdentifier) ?? "Error";
}
