import type { ObjectKey } from "@landscaper/api";

/** The reverse of formatKey: names and namespaces hold no slash. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf("/");
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
