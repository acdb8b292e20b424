export { BudgetError } from "./budget-error.ts";
export { ContentBudget, type ContentLimits, entryBytes, formatMiB, processorClock } from "./content-budget.ts";
export { type MemoryMeter, processMemory } from "./memory-meter.ts";
