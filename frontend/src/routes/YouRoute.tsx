import { useNavigate } from "@tanstack/react-router";
import { YouPage } from "../features/accounts/YouPage";

export function YouRoute() {
  const navigate = useNavigate();
  return <YouPage onGone={() => void navigate({ to: "/" })} />;
}
