import { connect } from "node:net";

/** How a connection to a server ends: "open", or the error's code, such as ECONNREFUSED. */
export async function dial(port: number, host: string): Promise<string> {
  return await new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 5000 });
    const end = (result: string): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => end("open"));
    socket.once("timeout", () => end("timeout"));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
