import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { CORES } from "../features/cores/cores";
import { POWER } from "../features/power/power";
import { Shell } from "../features/shell/Shell";
import { STORAGE } from "../features/storage/storage";
import { THREADS } from "../features/threads/threads";
import { WORKLOADS } from "../features/workloads/workloads";
import { parseSearch, printSearch, type SearchLists } from "../links/search";
import { PageFailure, PageMissing } from "./failures";
import { OverviewRoute } from "./OverviewRoute";
import { TOPICS } from "./topics";
import { TopicRoute } from "./TopicRoute";

/** Search parameters as lists of texts: addresses use the grammar of the API's query strings. */
const asLists = (search: Record<string, unknown>): SearchLists => search as SearchLists;

const HeaderAccount = lazy(() => import("../features/accounts/HeaderAccount"));
const FleetNotice = lazy(() => import("../features/accounts/FleetNotice"));

const root = createRootRoute({
  component: () => (
    <Shell
      topics={TOPICS}
      account={
        <Suspense>
          <HeaderAccount />
        </Suspense>
      }
      notice={
        <Suspense>
          <FleetNotice />
        </Suspense>
      }
    />
  ),
  notFoundComponent: PageMissing,
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: OverviewRoute,
});

const storage = createRoute({
  getParentRoute: () => root,
  path: "/storage",
  validateSearch: asLists,
  component: () => <TopicRoute topic={STORAGE} />,
});

const threads = createRoute({
  getParentRoute: () => root,
  path: "/threads",
  validateSearch: asLists,
  component: () => <TopicRoute topic={THREADS} />,
});

const power = createRoute({
  getParentRoute: () => root,
  path: "/power",
  validateSearch: asLists,
  component: () => <TopicRoute topic={POWER} />,
});

const residency = createRoute({
  getParentRoute: () => root,
  path: "/power/residency",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./ResidencyRoute"), "ResidencyRoute"),
});

const cores = createRoute({
  getParentRoute: () => root,
  path: "/cores",
  validateSearch: asLists,
  component: () => <TopicRoute topic={CORES} />,
});

const workloads = createRoute({
  getParentRoute: () => root,
  path: "/workloads",
  validateSearch: asLists,
  component: () => <TopicRoute topic={WORKLOADS} />,
});

const chips = createRoute({
  getParentRoute: () => root,
  path: "/chips",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./ChipsRoute"), "ChipsRoute"),
});

const chip = createRoute({
  getParentRoute: () => root,
  path: "/chips/$slug",
  component: lazyRouteComponent(() => import("./HardwareRoutes"), "ChipRoute"),
});

const models = createRoute({
  getParentRoute: () => root,
  path: "/models",
  component: lazyRouteComponent(() => import("../features/hardware/ModelsPage"), "ModelsPage"),
});

const model = createRoute({
  getParentRoute: () => root,
  path: "/models/$slug",
  component: lazyRouteComponent(() => import("./HardwareRoutes"), "ModelRoute"),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./RunsRoute"), "RunsRoute"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./RunRoute"), "RunRoute"),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./CompareRoute"), "CompareRoute"),
});

const machines = createRoute({
  getParentRoute: () => root,
  path: "/machines",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./MachinesRoute"), "MachinesRoute"),
});

const machine = createRoute({
  getParentRoute: () => root,
  path: "/machines/$id",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./MachineRoute"), "MachineRoute"),
});

const fleets = createRoute({
  getParentRoute: () => root,
  path: "/fleets",
  component: lazyRouteComponent(() => import("./FleetsRoute"), "FleetsRoute"),
});

const fleetSettings = createRoute({
  getParentRoute: () => root,
  path: "/fleets/$name/settings",
  component: lazyRouteComponent(() => import("./FleetSettingsRoute"), "FleetSettingsRoute"),
});

const fleetDuplicates = createRoute({
  getParentRoute: () => root,
  path: "/fleets/$name/duplicates",
  component: lazyRouteComponent(() => import("./FleetDuplicatesRoute"), "FleetDuplicatesRoute"),
});

const fleetSent = createRoute({
  getParentRoute: () => root,
  path: "/fleets/$name/sent",
  component: lazyRouteComponent(() => import("./FleetSentRoute"), "FleetSentRoute"),
});

const fleet = createRoute({
  getParentRoute: () => root,
  path: "/fleets/$name",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./FleetRoute"), "FleetRoute"),
});

const comparison = createRoute({
  getParentRoute: () => root,
  path: "/c/$slug",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./ComparisonRoute"), "ComparisonRoute"),
});

const add = createRoute({
  getParentRoute: () => root,
  path: "/add",
  component: lazyRouteComponent(() => import("../features/add/AddPage"), "AddPage"),
});

const links = createRoute({
  getParentRoute: () => root,
  path: "/links",
  component: lazyRouteComponent(() => import("../features/comparisons/LinksPage"), "LinksPage"),
});

const review = createRoute({
  getParentRoute: () => root,
  path: "/review",
  component: lazyRouteComponent(() => import("../features/moderation/ReviewPage"), "ReviewPage"),
});

const report = createRoute({
  getParentRoute: () => root,
  path: "/reports",
  component: lazyRouteComponent(() => import("../features/moderation/ReportPage"), "ReportPage"),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: asLists,
  component: lazyRouteComponent(() => import("./SignInRoute"), "SignInRoute"),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitations",
  component: lazyRouteComponent(() => import("./InvitationRoute"), "InvitationRoute"),
});

const claim = createRoute({
  getParentRoute: () => root,
  path: "/claim",
  component: lazyRouteComponent(() => import("./InvitationRoute"), "ClaimRoute"),
});

const confirmAddress = createRoute({
  getParentRoute: () => root,
  path: "/confirm-address",
  component: lazyRouteComponent(
    () => import("../features/fleets/ConfirmAddressPage"),
    "ConfirmAddressPage",
  ),
});

const myMacs = createRoute({
  getParentRoute: () => root,
  path: "/my-macs",
  component: lazyRouteComponent(() => import("../features/machines/MyMacsPage"), "MyMacsPage"),
});

const you = createRoute({
  getParentRoute: () => root,
  path: "/you",
  component: lazyRouteComponent(() => import("./YouRoute"), "YouRoute"),
});

const methods = createRoute({
  getParentRoute: () => root,
  path: "/methods",
  component: lazyRouteComponent(() => import("../features/methods/MethodsPage"), "MethodsPage"),
});

const about = createRoute({
  getParentRoute: () => root,
  path: "/about",
  component: lazyRouteComponent(() => import("../features/about/AboutPage"), "AboutPage"),
});

const shortcuts = createRoute({
  getParentRoute: () => root,
  path: "/shortcuts",
  component: lazyRouteComponent(
    () => import("../features/shortcuts/ShortcutsPage"),
    "ShortcutsPage",
  ),
});

const docs = createRoute({
  getParentRoute: () => root,
  path: "/docs/api",
  component: lazyRouteComponent(() => import("../features/docs/ApiPage"), "ApiPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    storage,
    threads,
    cores,
    power,
    residency,
    workloads,
    chips,
    chip,
    models,
    model,
    runs,
    run,
    compare,
    machines,
    machine,
    fleets,
    fleet,
    fleetSettings,
    fleetDuplicates,
    fleetSent,
    comparison,
    add,
    links,
    signIn,
    invitation,
    claim,
    confirmAddress,
    you,
    myMacs,
    review,
    report,
    methods,
    about,
    shortcuts,
    docs,
  ]),
  parseSearch: (text) => parseSearch(text.startsWith("?") ? text.slice(1) : text),
  stringifySearch: (search) => {
    const text = printSearch(search as SearchLists);
    return text === "" ? "" : `?${text}`;
  },
  defaultErrorComponent: PageFailure,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
