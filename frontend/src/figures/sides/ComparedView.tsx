import type { ReactNode } from "react";
import type { Case, Figure, FrozenSides, Lane, Remark } from "../../api/types";
import { FigureView } from "../FigureView";
import { Folded } from "../Folded";
import { Likeness, type OnCrude } from "../Likeness";
import styles from "../LeftOut.module.css";
import { runsLink } from "../runsLink";
import type { Words } from "../words";

interface Props {
  compared: FrozenSides;
  figure: Figure;
  words: Words;
  /** For a saved comparison: whether its figures are frozen or live. */
  state?: "frozen" | "live";
  /** Buttons above the chart. */
  actions: ReactNode;
  /** Filters all sides, as printed in addresses; absent for a frozen comparison. */
  onOffer?: (where: string) => void;
  onCrude?: OnCrude;
}

/** The compared sides: chart, table, what the mean covers, and notes. */
export function ComparedView({ compared, figure, words, state, actions, onOffer, onCrude }: Props) {
  const { sides, where } = compared.comparison;
  const runsOf = ({ key }: Case, { method }: Lane) => {
    const own = sides.find(({ number }) => number === key?.side)?.where ?? [];
    return runsLink([...where, ...own], {}, method, words);
  };
  const notes = figure.notes ?? [];
  return (
    <div className={styles.compared}>
      {actions}
      <FigureView
        figure={figure}
        asOf={compared.as_of}
        state={state}
        runsOf={runsOf}
        between={<Notes notes={notes} onOffer={onOffer} onCrude={onCrude} />}
      />
    </div>
  );
}

interface NotesProps extends Pick<Props, "onOffer" | "onCrude"> {
  notes: Remark[];
}

/** Notes on the comparison; those that a filter resolves come first. */
function Notes({ notes, onOffer, onCrude }: NotesProps) {
  const mended = notes.filter(
    ({ code, offers }) => (onOffer && offers?.length) || code === "held" || code === "crude",
  );
  const told = (note: Remark) => (
    <Note key={note.text} note={note} onOffer={onOffer} onCrude={onCrude} />
  );
  return (
    <div className={styles.remarks}>
      <Folded
        chief={mended.map(told)}
        others={notes.filter((note) => !mended.includes(note)).map(told)}
      />
    </div>
  );
}

function Note(props: { note: Remark } & Pick<Props, "onOffer" | "onCrude">) {
  const { note, onOffer, onCrude } = props;
  const { text, offers } = note;
  if (!onOffer || !offers?.length) {
    return (
      <p>
        {text}
        <Likeness note={note} onCrude={onCrude} />
      </p>
    );
  }
  return (
    <div className={styles.offers}>
      <p className={styles.reason}>{text}</p>
      Filter all sides to
      {offers.map((offer) => (
        <button
          key={offer.where}
          type="button"
          className={styles.offer}
          onClick={() => onOffer(offer.where)}
        >
          <bdi>{offer.text}</bdi>
        </button>
      ))}
    </div>
  );
}
