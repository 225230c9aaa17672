import { useMutation } from "@tanstack/react-query";
import { beginOidc } from "../../api/session";
import styles from "../../ui/Manage.module.css";
import { Failed } from "./Failed";
import { Button } from "../../ui/Button";

interface Props {
  /** The issuer's host. */
  host: string;
  /** The button's action: "Sign in". */
  does: string;
  /** The path of this site to return to. */
  to: string;
  /** An invitation's secret, for readers without an account. */
  link?: string;
}

/** Sign-in through the organisation, which returns here. */
export function ByOidc({ host, does, to, link }: Props) {
  const leaving = useMutation({
    mutationFn: () => beginOidc(to, link),
    onSuccess: ({ address }) => location.assign(address),
  });
  return (
    <div className={styles.form}>
      <Button disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        {does} with {host}
      </Button>
      <Failed error={leaving.error} />
    </div>
  );
}
