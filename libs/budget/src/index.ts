export { BudgetError } from "./budget-error.ts";
export { ContentBudget, type ContentLimits, entryBytes, processorClock } from "./content-budget.ts";
