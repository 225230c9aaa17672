import { lazy, Suspense, useId, useState } from "react";
import { Button } from "../../ui/Button";
import { Skeleton } from "../../ui/Skeleton";
import styles from "../../ui/Panel.module.css";

const saveForm = () => import("./SaveForm");
const SaveForm = lazy(saveForm);

interface Props {
  /** The question in the links' grammar. */
  question: string;
}

/** Panel that freezes the page's answer under a short link while the chart stays visible. */
export function SavePanel({ question }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  // When closed, it keeps what was typed.
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        aria-expanded={open}
        aria-controls={id}
        onPointerEnter={() => void saveForm()}
        onClick={() => {
          setOpen(!open);
          setIsOpen(true);
        }}
      >
        Share
      </Button>
      <section id={id} hidden={!open} className={styles.panel} aria-label="Share">
        {isOpen ? (
          <Suspense fallback={<Skeleton height="16rem" lines={6} />}>
            <SaveForm question={question} onCancel={() => setOpen(false)} />
          </Suspense>
        ) : null}
      </section>
    </>
  );
}
