import { getRouteApi, useRouter } from "@tanstack/react-router";
import { SignInPage } from "../features/accounts/SignInPage";
import { ownPath } from "../links/ownPath";

const route = getRouteApi("/sign-in");

export function SignInRoute() {
  const router = useRouter();
  const search = route.useSearch();
  return (
    <SignInPage
      to={ownPath(search.to?.[0])}
      refused={search.refused?.[0]}
      onSignedIn={(next) => router.history.push(next)}
    />
  );
}
