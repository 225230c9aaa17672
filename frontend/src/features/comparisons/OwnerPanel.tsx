import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { changeComparison, comparisonQuery } from "../../api/comparisons";
import type { Comparison, ComparisonChange } from "../../api/types";
import { Button } from "../../ui/Button";
import { day } from "../../ui/format";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "./OwnerPanel.module.css";

interface Props {
  saved: Comparison;
  secret: string;
  /** The comparison's name, if it is in a list. */
  name?: string;
}

/** The owner's actions: pause, resume, set an expiry date, or revoke. */
export function OwnerPanel({ saved, secret, name }: Props) {
  const queries = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const { queryKey } = comparisonQuery(saved.slug, secret);
  const changing = useMutation({
    mutationFn: (change: ComparisonChange) => changeComparison(saved.slug, secret, change),
    onSuccess: (changed) => {
      queries.setQueryData(queryKey, changed);
    },
  });
  const paused = saved.state === "paused";
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  return (
    <section
      className={styles.panel}
      aria-label={name === undefined ? "Your comparison" : `Manage ${name}`}
    >
      {name === undefined ? (
        <p>
          Saved in this browser.{" "}
          {paused ? "Paused: others can’t see it." : "Anyone with the link can open it."}{" "}
          <Link to="/links">All my links</Link>
        </p>
      ) : null}
      <div className={styles.actions}>
        <Button
          disabled={changing.isPending}
          onClick={() => changing.mutate({ state: paused ? "active" : "paused" })}
        >
          {paused ? "Resume" : "Pause"}
        </Button>
        <label className={styles.expiry}>
          Expires
          <input
            type="date"
            className="field"
            min={today}
            defaultValue={saved.expires_at?.slice(0, 10) ?? ""}
            onChange={(event) => {
              // The chosen day counts in full.
              const { value } = event.currentTarget;
              changing.mutate({ expires_at: value === "" ? null : `${value}T23:59:59Z` });
            }}
          />
        </label>
        <span className="quiet">
          {saved.expires_at ? `after ${day(saved.expires_at)}` : "never"}
        </span>
        {confirming ? (
          <span className={styles.confirm} role="alert">
            A revoked link can’t be reopened.
            <Button
              primary
              disabled={changing.isPending}
              onClick={() => changing.mutate({ state: "revoked" })}
            >
              Revoke permanently
            </Button>
            <Button asText onClick={() => setConfirming(false)}>
              Keep it
            </Button>
          </span>
        ) : (
          <Button asText onClick={() => setConfirming(true)}>
            Revoke
          </Button>
        )}
      </div>
      {changing.error ? <ProblemNotice error={changing.error} /> : null}
    </section>
  );
}
