import { createKey, type KeyKind, keyWorkMs } from "@landscaper/x509";
import type { Environment } from "../evaluate/environment.ts";
import { failLocally } from "../evaluate/failure.ts";

/** Random bytes from the caller. */
export function randomBytes(count: number, { document }: Environment): Buffer {
  const { random } = document.host;
  return random === undefined ? failLocally("there is no source of random bytes") : Buffer.from(random(count));
}

/** The caller's clock. */
export function currentTime({ document }: Environment): Date {
  const { clock } = document.host;
  return clock === undefined ? failLocally("there is no clock") : clock();
}

/** A new private key as PEM; the budget is charged for it first. Throws X509Error. */
export function newKey(kind: KeyKind, { document }: Environment): string {
  document.budget.spend(keyWorkMs(kind), "x509genkey");
  return (document.host.createKey ?? createKey)(kind);
}
