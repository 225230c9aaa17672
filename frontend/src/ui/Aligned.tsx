import styles from "./Aligned.module.css";

interface Props {
  text: string;
  /** Maximum number of decimals in the column. */
  decimals: number;
}

/** The decimals of a plain number; empty for ranges and numbers with a unit. */
export function fractionOf(text: string): string {
  return /^[\d,\u2212]+(\.\d+)?$/.test(text) ? (text.split(".")[1] ?? "") : "";
}

export function mostDecimals(texts: string[]): number {
  return Math.max(0, ...texts.map((text) => fractionOf(text).length));
}

/** A number right-aligned at its decimal point. */
export function Aligned({ text, decimals }: Props) {
  const ownDecimals = fractionOf(text).length;
  const missing = decimals - ownDecimals;
  const pad = missing <= 0 ? "" : (ownDecimals === 0 ? "." : "") + "0".repeat(missing);
  return (
    <span className={styles.aligned} data-pad={pad}>
      {text}
    </span>
  );
}
