import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpsListener, TlsFiles } from "../http/https-server.ts";
import { listenHttps } from "../http/https-server.ts";

/** A port that can be closed and opened again; it stays the same one. */
export class PausableListener {
  readonly port: number;
  readonly #tls: TlsFiles;
  readonly #handle: (request: IncomingMessage, response: ServerResponse) => void;
  #open: HttpsListener | undefined;

  private constructor(
    tls: TlsFiles,
    handle: (request: IncomingMessage, response: ServerResponse) => void,
    open: HttpsListener,
  ) {
    this.port = open.port;
    this.#tls = tls;
    this.#handle = handle;
    this.#open = open;
  }

  /** Listens on `port` of loopback; 0 is any free one. Rejects when it is taken. */
  static async start(
    tls: TlsFiles,
    port: number,
    handle: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<PausableListener> {
    return new PausableListener(tls, handle, await listenHttps(tls, port, handle));
  }

  /** Closes the port and all connections. */
  async pause(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.close();
  }

  async resume(): Promise<void> {
    this.#open ??= await listenHttps(this.#tls, this.port, this.#handle);
  }
}
