/** A host as rules name it: lower case, without the brackets of IPv6 and the dot of a fully qualified name. */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}
