/** Where an object is on its way to its spec; "failed" = it will not get there by waiting. */
export type KStatus =
  | { readonly status: "current" }
  | { readonly status: "inProgress" | "failed"; readonly message: string };

export const current: KStatus = { status: "current" };

export function inProgress(message: string): KStatus {
  return { status: "inProgress", message };
}

export function failed(message: string): KStatus {
  return { status: "failed", message };
}
