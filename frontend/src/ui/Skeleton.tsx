import styles from "./Skeleton.module.css";

interface Props {
  /** Pixels or any CSS length: the height of what comes. */
  height: number | string;
  lines?: number;
  /** Another skeleton came before it, so that loading is announced only once. */
  follows?: boolean;
}

/**
 * Holds the place of what is loading at its final size. It stays blank for the first 300 ms: an
 * answer that comes sooner than that needs no announcement.
 */
export function Skeleton({ height, lines = 0, follows = false }: Props) {
  return (
    <div
      className={styles.skeleton}
      style={follows ? { height, animationDelay: "0s", animationDuration: "0s" } : { height }}
      aria-hidden="true"
    >
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles.line} style={{ width: `${88 - ((line * 37) % 52)}%` }} />
      ))}
    </div>
  );
}
