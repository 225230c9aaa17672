import { Fragment } from "react";

/** Text that may also wrap after slashes and pluses between words: "Performance+Efficiency/high". */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[+/])(?=\p{L})/u).map((part, index) => (
    <Fragment key={part}>
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
}
