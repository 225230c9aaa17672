import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { embedQuery, saveComparison } from "../../api/comparisons";
import { Button } from "../../ui/Button";
import { canCopy, copyLater } from "../../ui/clipboard";
import { CopyButton } from "../../ui/CopyButton";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { keepSecret } from "./secrets";
import styles from "../../ui/Panel.module.css";

/** Default minimum when sharing a private fleet's figures. */
const FEWEST_MACHINES = 5;

interface Props {
  /** The question in the links' grammar. */
  question: string;
  onCancel: () => void;
}

/** Form for a title and note, then the link, which the press on its button copies as well. */
export default function SaveForm({ question, onCancel }: Props) {
  const saving = useMutation({
    mutationFn: saveComparison,
    onSuccess: (saved) => keepSecret(saved.slug, saved.owner_secret),
  });
  const [isCopied, setCopied] = useState(false);
  // After the question changes, the saved answer belongs to another question.
  const saved = saving.variables?.question === question ? saving.data : undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim() || undefined;
    const done = saving.mutateAsync({
      question,
      title: text("title"),
      note: text("note"),
      private: form.has("private"),
      shares_fleet: form.has("shares"),
      fewest_machines: Number(text("fewest") ?? FEWEST_MACHINES),
    });
    if (canCopy()) void copyLater(done.then(({ url }) => absolute(url))).then(setCopied);
    // The form shows why it failed.
    else void done.catch(() => undefined);
  };
  if (saved) return <Saved saved={saved} isCopied={isCopied} />;
  return (
    <form onSubmit={submit} className={styles.form}>
      <p className={styles.lead}>
        Freezes these figures under a short link that anyone can open. New runs won’t change them;
        the page says when live figures differ.
      </p>
      <label>
        Title
        <input className="field" name="title" maxLength={200} autoComplete="off" />
      </label>
      <label>
        Note
        <textarea className="field" name="note" maxLength={2000} rows={3} />
      </label>
      <label className={styles.choice}>
        <input type="checkbox" name="private" />
        Private link: too long to guess, not listed by search engines
      </label>
      {namesFleet(question) ? <SharesFleet /> : null}
      {saving.error ? <ProblemNotice error={saving.error} /> : null}
      <div className={styles.row}>
        <Button submit primary disabled={saving.isPending}>
          {saving.isPending ? "Saving" : canCopy() ? "Save and copy link" : "Save and get the link"}
        </Button>
        <Button asText onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Nothing of a private fleet is saved without explicit consent. */
function SharesFleet() {
  return (
    <fieldset className={styles.form}>
      <legend className={styles.lead}>
        These figures are of a fleet. If it is private, only its admins can share them. The link
        names no machines, and ends with the fleet or with your access to it.
      </legend>
      <label className={styles.choice}>
        <input type="checkbox" name="shares" />
        Anyone with the link may see these figures
      </label>
      <label>
        Fewest Macs behind a figure; others are left out
        <input
          className="field"
          type="number"
          name="fewest"
          min={1}
          max={1000}
          defaultValue={FEWEST_MACHINES}
          inputMode="numeric"
        />
      </label>
    </fieldset>
  );
}

function namesFleet(question: string): boolean {
  return [...new URLSearchParams(question)].some(
    ([name, value]) =>
      (name === "where" && value.startsWith("fleet:")) ||
      (name === "side" && /^\d+:fleet:/.test(value)),
  );
}

const absolute = (url: string) => new URL(url, location.href).href;

interface SavedProps {
  saved: Awaited<ReturnType<typeof saveComparison>>;
  isCopied: boolean;
}

function Saved({ saved: { slug, url, owner_secret: secret }, isCopied }: SavedProps) {
  const link = absolute(url);
  const embed = useQuery(embedQuery(link));
  return (
    <div className={styles.form} role="status">
      <p className={styles.lead}>Saved and frozen. {isCopied ? "Link copied:" : "Link:"}</p>
      <p className={styles.row}>
        <Link to="/c/$slug" params={{ slug }} className={styles.link}>
          {link}
        </Link>
        <CopyButton text={link}>Copy link</CopyButton>
        {embed.data ? <CopyButton text={embed.data.html}>Copy embed code</CopyButton> : null}
      </p>
      <p className={styles.lead}>
        This browser keeps the owner secret, which lets you pause or revoke the link. It is shown
        only once:
      </p>
      <p className={styles.row}>
        <code className={styles.secret}>{secret}</code>
        <CopyButton text={secret}>Copy secret</CopyButton>
      </p>
    </div>
  );
}
