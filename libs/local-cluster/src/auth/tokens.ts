import type { User } from "./user.ts";

/** Tokens that are valid as long as the cluster lives: those of kubeconfigs. */
export class StaticTokens {
  readonly #users = new Map<string, User>();

  add(token: string, user: User): void {
    this.#users.set(token, user);
  }

  check(token: string): User | undefined {
    return this.#users.get(token);
  }
}

/** The token of an Authorization header, or undefined. */
export function bearerToken(header: string | undefined): string | undefined {
  const match = /^bearer +(\S+)$/i.exec(header ?? "");
  return match?.[1];
}
