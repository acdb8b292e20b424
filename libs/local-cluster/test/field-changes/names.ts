/** Names for metadata.name of creations. */
export const names: readonly string[] = [
  "Upper",
  "under_score",
  "with.dot",
  "1digit",
  "-dash",
  "dash-",
  "with:colon",
  "with%percent",
  "a".repeat(64),
  "a".repeat(253),
  "a".repeat(254),
];
