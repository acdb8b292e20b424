import { recordAt } from "../objects/json.ts";
import { nodePortOf } from "../strategies/service-fields.ts";

type Port = Readonly<Record<string, unknown>>;

/**
 * Decides which ports of a Service share a node port, as the real server does. On creation, entries with the same `port` share it. On update,
 * entries with different protocols share it if they ask for the same node port.
 */
export class SharedNodePorts {
  readonly #isUpdate: boolean;
  /** First requested node port, by port number. */
  readonly #requested = new Map<unknown, number>();
  /** Node port of the first completed entry, by port number. */
  readonly #byPort = new Map<unknown, number>();
  readonly #protocols = new Set<string>();
  readonly #numbers = new Set<number>();

  constructor(ports: readonly unknown[], isUpdate: boolean) {
    this.#isUpdate = isUpdate;
    for (const port of ports) {
      const { port: key } = recordAt(port);
      const number = nodePortOf(port);
      if (number !== 0 && !this.#requested.has(key)) this.#requested.set(key, number);
    }
  }

  /** Returns the node port that a later entry with the same port number asks for, if `port` is the first of these entries; else 0. */
  requested({ port: key }: Port): number {
    return this.#isUpdate || this.#byPort.has(key) ? 0 : (this.#requested.get(key) ?? 0);
  }

  /** Returns the node port of an earlier entry that `port` gets without asking for it. */
  shared({ port: key }: Port): number | undefined {
    return this.#isUpdate ? undefined : this.#byPort.get(key);
  }

  /** Whether an earlier entry already has the node port, and `port` may share it. */
  isShared({ port: key, protocol }: Port, number: number): boolean {
    if (!this.#isUpdate) return this.#byPort.get(key) === number;
    return this.#numbers.has(number) && !this.#protocols.has(`${String(protocol)} ${number}`);
  }

  /** Records the node port of a completed entry. */
  note({ port: key, protocol }: Port, number: number): void {
    if (!this.#byPort.has(key)) this.#byPort.set(key, number);
    this.#protocols.add(`${String(protocol)} ${number}`);
    this.#numbers.add(number);
  }
}
