/** A cell that no spreadsheet takes for a formula. */
export const csvCell = (text: string) =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
