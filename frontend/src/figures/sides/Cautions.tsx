import type { Caution } from "../../api/types";
import { counted } from "../../ui/format";
import type { OnCrude } from "../Likeness";

interface Props {
  cautions: readonly Caution[];
  /** The ways out; absent for a frozen comparison. */
  ways?: Ways;
}

export interface Ways {
  /** Filters all sides, as printed in addresses. */
  onOffer: (where: string) => void;
  onCrude: OnCrude;
  onEdit: () => void;
}

/** With more cautions than this, those that neither confound nor offer a better comparison fold. */
const MOST_OPEN = 2;

/** Cautions in their grades, each a sentence with what to do about it, the gravest first. */
export function Cautions({ cautions, ways }: Props) {
  const graded = cautions.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  const open =
    cautions.length > MOST_OPEN ? Math.max(1, cautions.filter(isOpen).length) : MOST_OPEN;
  const written = (some: readonly Caution[]) =>
    some.map((caution) => (
      <p key={caution.lead + caution.text} className="caution" data-grade={caution.grade}>
        <strong>{caution.lead}</strong> {caution.text}{" "}
        {ways ? <WaysOut caution={caution} {...ways} /> : null}
      </p>
    ));
  const folded = graded.slice(open);
  return (
    <>
      {written(graded.slice(0, open))}
      {folded.length > 0 ? (
        <details>
          <summary>{counted(folded.length, "more caution")}</summary>
          {written(folded)}
        </details>
      ) : null}
    </>
  );
}

const isOpen = ({ grade, offers = [] }: Caution) => grade === "confounded" || offers.length > 0;

function WaysOut({ caution, onOffer, onCrude, onEdit }: Ways & { caution: Caution }) {
  const { code, grade, offers = [] } = caution;
  if (code === "held" || code === "crude") {
    return (
      <button type="button" className="act" onClick={() => onCrude(code === "held")}>
        {code === "held" ? "Compare raw medians" : "Hold them equal"}
      </button>
    );
  }
  if (offers.length > 0) {
    return offers.map(({ where, text }) => (
      <button key={where} type="button" className="act" onClick={() => onOffer(where)}>
        Compare all with <bdi>{text}</bdi>
      </button>
    ));
  }
  return grade === "confounded" ? (
    <button type="button" className="act" onClick={onEdit}>
      Edit sides
    </button>
  ) : null;
}
