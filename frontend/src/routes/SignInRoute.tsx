import { getRouteApi, useRouter } from "@tanstack/react-router";
import { SignInPage } from "../features/account/SignInPage";
import { ownPath } from "../links/ownPath";

const route = getRouteApi("/sign-in");

export function SignInRoute() {
  const router = useRouter();
  const to = ownPath(route.useSearch().to?.[0]);
  return <SignInPage to={to} onSignedIn={(next) => router.history.push(next)} />;
}
