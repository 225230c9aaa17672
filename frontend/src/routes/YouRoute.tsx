import { useNavigate } from "@tanstack/react-router";
import { YouPage } from "../features/account/YouPage";

export function YouRoute() {
  const navigate = useNavigate();
  return <YouPage onGone={() => void navigate({ to: "/" })} />;
}
