import type { Figure } from "../api/types";
import { CopyButton } from "../ui/CopyButton";
import { CopyPicture } from "../ui/CopyPicture";
import { markdownOf } from "./markdown";

interface Props {
  figure: Figure;
  asOf: string;
  /** Address of the picture of what is shown. */
  picture: string;
}

/** Buttons to copy the picture, the figures as Markdown, or the address. */
export function Copies({ figure, asOf, picture }: Props) {
  return (
    <>
      <CopyPicture address={picture}>Copy image</CopyPicture>
      <CopyButton text={() => markdownOf(figure, location.href, asOf)}>Copy Markdown</CopyButton>
      <CopyButton text={() => location.href}>Copy link</CopyButton>
    </>
  );
}
