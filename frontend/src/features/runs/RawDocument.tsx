import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Skeleton } from "../../ui/Skeleton";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./RawDocument.module.css";
import { readable } from "./readable";

interface Props {
  id: string;
  sha256: string;
  size: string;
}

/** The document as uploaded, from which everything else is derived. */
export function RawDocument({ id, sha256, size }: Props) {
  const [open, setOpen] = useState(false);
  const address = `/api/v1/runs/${encodeURIComponent(id)}/document`;
  const document = useQuery({
    queryKey: ["document", id],
    enabled: open,
    queryFn: async ({ signal }) => {
      const response = await fetch(address, { signal });
      if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
      return readable(await response.text());
    },
  });
  return (
    <details className={styles.raw} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Run document as uploaded, {size}</summary>
      <p className={styles.facts}>
        <a href={address}>Download document</a> · SHA-256 <code>{sha256}</code>
      </p>
      {document.error ? (
        <ProblemNotice error={document.error} onRetry={() => void document.refetch()} />
      ) : document.data === undefined ? (
        <Skeleton height="12rem" lines={8} />
      ) : (
        <pre className={styles.json} role="region" tabIndex={0} aria-label="Run document">
          {document.data}
        </pre>
      )}
    </details>
  );
}
