// As the server has it: spreadsheets take a cell for a formula that begins with one of these signs or
// their full-width forms, some trim what can't be seen before it, and some divide cells at semicolons.
const FORMULA =
  /(^|;)(?=[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r])/g;

/** A cell that no spreadsheet takes for a formula. */
export const csvCell = (text: string) =>
  `"${text.replaceAll(FORMULA, "$1'").replaceAll('"', '""')}"`;
