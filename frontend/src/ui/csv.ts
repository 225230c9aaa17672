// Same as the server's: spreadsheets take a cell for a formula if it starts with one of these signs
// or their full-width forms; some trim invisible characters before it, and some split cells at
// semicolons.
const FORMULA =
  /(^|;)(?=[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r])/g;

/** A cell that no spreadsheet takes for a formula. */
export const csvCell = (text: string) =>
  `"${text.replaceAll(FORMULA, "$1'").replaceAll('"', '""')}"`;
