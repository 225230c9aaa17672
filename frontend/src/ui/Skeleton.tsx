import styles from "./Skeleton.module.css";

interface Props {
  /** Final height of the content, in pixels or any CSS length. */
  height: number | string;
  lines?: number;
  /** Whether it follows another skeleton, so that loading is announced only once. */
  follows?: boolean;
}

/**
 * Placeholder of loading content at its final size. It stays blank for the first 300 ms: a faster
 * answer needs no announcement.
 */
export function Skeleton({ height, lines = 0, follows = false }: Props) {
  return (
    <div
      className={styles.skeleton}
      style={follows ? { height, animationDelay: "0s", animationDuration: "0s" } : { height }}
      aria-hidden="true"
      aria-busy="true"
    >
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles.line} style={{ width: `${88 - ((line * 37) % 52)}%` }} />
      ))}
    </div>
  );
}
