import { deserialize, serialize } from "node:v8";
import { decodeDeployItems, encodeDeployItems } from "@landscaper/api";
import { fromYaml, toYaml } from "@landscaper/goyaml";
import { isRecord, parseInt64Json, parseJson } from "@landscaper/json";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  createMergePatch,
  createThreeWayPatch,
  isDeepEqual,
} from "@landscaper/patch";

type Fields = Record<string, unknown>;

const type = { apiVersion: "numbers.example.com/v1", kind: "Number" };
const builtIn = { apiVersion: "v1", kind: "ConfigMap" };

function read(text: string): Fields {
  const value: unknown = parseJson(text);
  if (!isRecord(value)) throw new Error(`expected a map, found ${text}`);
  return value;
}

function throughDeployItem(spec: Fields): unknown {
  const item = { name: "item", type: "test", config: { manifests: [{ manifest: { ...type, spec } }] } };
  const [decoded] = decodeDeployItems({ deployItemsCompressed: encodeDeployItems([item]) });
  const config: unknown = parseJson(JSON.stringify(decoded?.config));
  const [entry] = isRecord(config) && Array.isArray(config["manifests"]) ? (config["manifests"] as Fields[]) : [];
  return isRecord(entry?.["manifest"]) ? entry["manifest"]["spec"] : undefined;
}

/** The ways of a spec to a request body: each takes its JSON and returns the value that is sent. */
export const paths: Readonly<Record<string, (text: string) => unknown>> = {
  json: read,
  yaml: (text) => fromYaml(text, { integers: "exact" }),
  "written YAML": (text) => fromYaml(toYaml(read(text)), { integers: "exact" }),
  "deploy item": (text) => throughDeployItem(read(text)),
  thread: (text) => deserialize(serialize(read(text))),
  "merge patch": (text) => applyMergePatch({}, createMergePatch({}, read(text))),
  "merge patch over other values": (text) => applyMergePatch({ a: 1 }, { a: null, ...read(text) }),
  "JSON patch": (text) => field(applyJsonPatch({}, [{ op: "add", path: "/spec", value: read(text) }]), "spec"),
  "strategic patch": (text) => field(applyStrategicMergePatch({}, { data: read(text) }, builtIn), "data"),
  "three-way patch": (text) => {
    const { body } = createThreeWayPatch({ original: {}, modified: { spec: read(text) }, current: {} }, type);
    return field(applyMergePatch({}, body), "spec");
  },
  "embedded server": (text) => parseInt64Json(text),
};

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** What a job without changes does with a live object: undefined, or the comparison that sees a difference. */
export function findDrift(wantedText: string, liveText: string): string | undefined {
  const [wanted, live] = [{ spec: read(wantedText) }, { spec: read(liveText) }];
  const { body } = createThreeWayPatch({ original: wanted, modified: wanted, current: live }, type);
  if (!isDeepEqual(wanted, live)) return "isDeepEqual";
  if (JSON.stringify(body) !== "{}") return `three-way patch ${JSON.stringify(body)}`;
  const patch = JSON.stringify(createMergePatch(live, wanted));
  return patch === "{}" ? undefined : `merge patch ${patch}`;
}
