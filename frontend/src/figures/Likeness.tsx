import type { Remark } from "../api/types";
import { Button } from "../ui/Button";

/** Switch between ratios with other differences held equal and crude ones. */
export type OnCrude = (crude: boolean) => void;

/** After a note on how ratios are computed: a button for the other way. */
export function Likeness({ note: { code }, onCrude }: { note: Remark; onCrude?: OnCrude }) {
  if (!onCrude || (code !== "held" && code !== "crude")) return null;
  return (
    <>
      {" "}
      <Button asText onClick={() => onCrude(code === "held")}>
        {code === "held" ? "Compare raw medians" : "Hold them equal"}
      </Button>
    </>
  );
}
