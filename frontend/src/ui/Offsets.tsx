import { Button } from "./Button";
import styles from "./Manage.module.css";

interface Props {
  offset: number;
  /** Items of a page. */
  step: number;
  total: number;
  /** The total in words: "214 tokens". */
  counted: string;
  onOffset: (offset: number) => void;
}

/** The pages of a list by offset; hidden if there is only one. */
export function Offsets({ offset, step, total, counted, onOffset }: Props) {
  if (total <= step) return null;
  return (
    <p className={styles.actions}>
      <Button disabled={offset === 0} onClick={() => onOffset(offset - step)}>
        Previous
      </Button>
      <Button disabled={offset + step >= total} onClick={() => onOffset(offset + step)}>
        Next
      </Button>
      <span className="quiet">{counted}</span>
    </p>
  );
}
