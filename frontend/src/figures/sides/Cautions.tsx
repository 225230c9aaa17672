import type { Caution } from "../../api/types";
import { Folded } from "../Folded";
import type { OnCrude } from "../Likeness";
import { Button } from "../../ui/Button";

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

/** Cautions in their grades, each a sentence with what to do about it. */
export function Cautions({ cautions, ways }: Props) {
  const written = (caution: Caution) => (
    <p key={caution.lead + caution.text} className="caution" data-grade={caution.grade}>
      <strong>{caution.lead}</strong> {caution.text}{" "}
      {ways ? <WaysOut caution={caution} {...ways} /> : null}
    </p>
  );
  return (
    <Folded
      chief={cautions.filter(isOpen).map(written)}
      others={cautions.filter((caution) => !isOpen(caution)).map(written)}
      noun="caution"
    />
  );
}

/** Whether it confounds the comparison, or offers a better one. */
const isOpen = ({ grade, offers = [] }: Caution) => grade === "confounded" || offers.length > 0;

function WaysOut({ caution, onOffer, onCrude, onEdit }: Ways & { caution: Caution }) {
  const { code, grade, offers = [] } = caution;
  if (code === "held" || code === "crude") {
    return (
      <Button asText onClick={() => onCrude(code === "held")}>
        {code === "held" ? "Compare raw medians" : "Hold them equal"}
      </Button>
    );
  }
  if (offers.length > 0) {
    return offers.map(({ where, text }) => (
      <Button key={where} asText onClick={() => onOffer(where)}>
        Compare all with <bdi>{text}</bdi>
      </Button>
    ));
  }
  return grade === "confounded" ? (
    <Button asText onClick={onEdit}>
      Edit sides
    </Button>
  ) : null;
}
