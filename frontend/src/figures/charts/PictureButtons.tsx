import type { RefObject } from "react";
import { pictureOf, save } from "./picture";
import { Button } from "../../ui/Button";

interface Props {
  figure: RefObject<HTMLElement | null>;
  name: string;
}

/** Buttons to save what the browser drew as a file, without the server. */
export function PictureButtons({ figure, name }: Props) {
  const take = (as: "svg" | "png") => {
    if (figure.current)
      void pictureOf(figure.current, as).then((blob) => save(blob, `${name}.${as}`));
  };
  return (
    <>
      <Button onClick={() => take("png")}>PNG</Button>
      <Button onClick={() => take("svg")}>SVG</Button>
    </>
  );
}
