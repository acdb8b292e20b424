import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** A program that answers each line of JSON by one. */
export class LineProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  constructor(program: string, args: readonly string[] = []) {
    this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(question: unknown): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error("the program ended without an answer");
    return JSON.parse(value);
  }

  stop(): void {
    this.#child.stdin.end();
  }
}
