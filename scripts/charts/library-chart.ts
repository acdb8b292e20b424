/** Chart with the templates that the others share. */
export const libraryChart = "common";
