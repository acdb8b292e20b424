import { connect } from "@nats-io/transport-node";

/** Returns for how many kinds the publisher has stored a position: 3 when its first lists are published. */
export async function countPositions(url: string): Promise<number> {
  const connection = await connect({ servers: url.replace("nats://", "") });
  try {
    const filter = JSON.stringify({ subjects_filter: "$KV.landscaper-events.*.*.position" });
    const answer = await connection.request("$JS.API.STREAM.INFO.KV_landscaper-events", filter);
    const { state } = answer.json<{ readonly state?: { readonly subjects?: object } }>();
    return Object.keys(state?.subjects ?? {}).length;
  } finally {
    await connection.close();
  }
}
