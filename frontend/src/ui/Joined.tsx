import { Fragment } from "react";

/** "Performance+Efficiency/high": a name that wraps after its signs rather than inside a word. */
export function Joined({ text }: { text: string }) {
  return text.split(/(?<=[+/])(?=\p{L})/u).map((part, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts of one text keep their order
    <Fragment key={place}>
      {place > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
}
