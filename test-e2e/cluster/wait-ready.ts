import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./child.ts";
import { tailOf } from "./child.ts";
import type { Credentials } from "@landscaper/local-cluster/testing";

export interface ReadyProbe {
  readonly url: string;
  readonly ca: string;
  readonly user: Credentials;
  /** The process behind the URL: when it ends, waiting ends. */
  readonly child: Child;
  readonly timeoutMs: number;
}

async function isOk({ url, ca, user }: ReadyProbe): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(url, { ca, cert: user.cert, key: user.key, timeout: 2000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.once("timeout", () => call.destroy());
    call.once("error", () => resolve(false));
    call.end();
  });
}

/** Waits until the URL answers 200; throws with the end of the log when its process has ended or time is up. */
export async function waitReady(probe: ReadyProbe): Promise<void> {
  const deadline = Date.now() + probe.timeoutMs;
  while (!(await isOk(probe))) {
    const { child } = probe;
    const problem =
      child.ended === undefined
        ? Date.now() > deadline
          ? `is not ready after ${probe.timeoutMs / 1000} s`
          : undefined
        : `ended with ${child.ended}`;
    if (problem !== undefined)
      throw new Error(`${child.name} ${problem}; its log ends with:\n${tailOf(child.logFile)}`);
    await sleep(100);
  }
}
