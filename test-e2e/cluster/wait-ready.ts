import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./child.ts";
import { tailOf } from "./child.ts";
import type { Credentials } from "@landscaper/local-cluster";

export interface ReadyProbe {
  readonly url: string;
  readonly ca: string;
  readonly user: Credentials;
  /** Whether what the URL answers with status 200 means ready; any answer of that status, when it is left out. */
  readonly isReady?: (body: string) => boolean;
  /** The process that makes it ready: when it ends, waiting ends. */
  readonly child: Child;
  readonly timeoutMs: number;
}

const pauseMs = 100;

async function ask({ url, ca, user, isReady = () => true }: ReadyProbe): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(url, { ca, cert: user.cert, key: user.key, timeout: 2000, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      response.once("end", () => resolve(response.statusCode === 200 && isReady(body)));
      response.once("error", () => resolve(false));
    });
    call.once("timeout", () => call.destroy());
    // A request may fail more than once: a second error without a listener would end the process.
    call.on("error", () => resolve(false));
    call.end();
  });
}

/** Waits until the URL answers as it shall; throws with the end of the log when its process has ended or time is up. */
export async function waitReady(probe: ReadyProbe): Promise<void> {
  const deadline = Date.now() + probe.timeoutMs;
  while (!(await ask(probe))) {
    const { child } = probe;
    const problem =
      child.ended === undefined
        ? Date.now() > deadline
          ? `is not ready after ${probe.timeoutMs / 1000} s`
          : undefined
        : `ended with ${child.ended}`;
    if (problem !== undefined)
      throw new Error(`${child.name} ${problem}; its log ends with:\n${tailOf(child.logFile)}`);
    await sleep(pauseMs);
  }
}
