import type { Verdict } from "../mistake.ts";

/** Verdicts of the mistakes whose explanation is not yet complete, by title. All other mistakes score 2. */
export const incomplete: Readonly<Record<string, Verdict>> = {
  "two Installations import from each other": {
    score: 1,
    lacks: ["cause", "remedy", "misleading"],
  },
  "the key of a Secret for an import does not exist": {
    score: 1,
    lacks: ["remedy"],
  },
  "the kubeconfig of the Target is not YAML": {
    score: 1,
    lacks: ["cause", "remedy"],
  },
  "the Secret's kubeconfig is not YAML": {
    score: 1,
    lacks: ["cause"],
  },
  "the token of the kubeconfig is invalid": {
    score: 1,
    lacks: ["place"],
  },
  "the kubeconfig has the certificate authority of another cluster": {
    score: 1,
    lacks: ["place"],
  },
  "no server answers at the address of the kubeconfig": {
    score: 1,
    lacks: ["place", "cause"],
  },
  "the host of the kubeconfig does not exist": {
    score: 1,
    lacks: ["place", "cause"],
  },
  "the kubeconfig names a context that it does not have": {
    score: 1,
    lacks: ["place", "remedy"],
  },
  "an item names a Target import that does not exist": {
    score: 1,
    lacks: ["remedy"],
  },
  "no deployer serves the type of an item": {
    score: 1,
    lacks: ["remedy"],
  },
  "the target cluster is gone before the Installation is deleted": {
    score: 1,
    lacks: ["place"],
  },
};
