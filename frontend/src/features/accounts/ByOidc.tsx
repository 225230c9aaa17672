import { useMutation } from "@tanstack/react-query";
import { beginOidc } from "../../api/session";
import styles from "./account.module.css";
import { Failed } from "./Failed";

interface Props {
  /** The issuer's host. */
  host: string;
  /** What the button does there: "Sign in". */
  does: string;
  /** Where to go then: a path of this site. */
  to: string;
  /** The secret of an invitation, for whoever has no account yet. */
  link?: string;
}

/** Off to the organisation's own sign-in, and back. */
export function ByOidc({ host, does, to, link }: Props) {
  const leaving = useMutation({
    mutationFn: () => beginOidc(to, link),
    onSuccess: ({ address }) => location.assign(address),
  });
  return (
    <div className={styles.form}>
      <button
        type="button"
        className="button"
        disabled={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        {does} with {host}
      </button>
      <Failed error={leaving.error} />
    </div>
  );
}
