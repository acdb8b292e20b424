// The inner end of an administrator's way into a fenced cluster: a socket in a folder, for which no network is needed.
// usage: door.ts SOCKET HOST PORT; started by fence.ts in the network of the cluster
import { connect, createServer } from "node:net";
import { joinSockets } from "./join-sockets.ts";

const [, , path = "", host = "", port = ""] = process.argv;
createServer((socket) => joinSockets(socket, connect(Number(port), host))).listen(path);
