import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { fleetAt, inFleet } from "../../links/fleet";
import { IS_DEMO } from "../../ui/demo";
import type { Topics } from "../../questions/view";
import { useCurrentInView } from "../../ui/useCurrentInView";
import { Appearance } from "./Appearance";
import { LIST_PAGES, OTHER_PAGES, TOPIC_PAGES } from "./pages";
import { Search } from "./Search";
import page from "../../ui/Page.module.css";
import styles from "./Shell.module.css";

interface Props {
  /** Views that the search offers besides pages. */
  topics: Topics;
  /** At the right of the header: whose figures are shown, and the account. */
  account: ReactNode;
  /** Shown above each page with figures that aren't public. */
  notice: ReactNode;
}

/** Header, page and footer: the same on every page. */
export function Shell({ topics, account, notice }: Props) {
  const fleet = useRouterState({ select: ({ location }) => fleetAt(location) });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isList = LIST_PAGES.some(([to]) => to === path);
  const row = useCurrentInView<HTMLElement>();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <Link to="/" className={styles.mark}>
            <Gauge />
            Macmeter
          </Link>
          {IS_DEMO ? (
            <p className={styles.demo}>
              Demo<span>: no such Macs exist</span>
            </p>
          ) : null}
          <nav aria-label="Pages" className={`row ${styles.nav}`} ref={row}>
            <Pages pages={TOPIC_PAGES} fleet={fleet} within={isList ? "/machines" : undefined} />
            <Link
              to="/add"
              className={`button ${styles.measure}`}
              activeProps={{ "aria-current": "page" }}
            >
              Measure your Mac
            </Link>
          </nav>
          <Search topics={topics} />
          <div className={styles.account}>{account}</div>
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        {notice}
        {isList ? (
          <nav aria-label="Lists" className={`row ${page.views} ${styles.lists}`}>
            <Pages pages={LIST_PAGES} fleet={fleet} />
          </nav>
        ) : null}
        <Outlet />
      </main>
      <footer className={styles.footer}>
        <div className={styles.foot}>
          <p>
            Measured performance of Macs. Medians with their spread; hollow marks and daggers are
            published figures with their source.
          </p>
          <nav aria-label="More pages" className={styles.more}>
            <Pages pages={OTHER_PAGES} fleet={undefined} />
            <Appearance />
          </nav>
        </div>
      </footer>
    </div>
  );
}

interface PagesProps {
  pages: typeof TOPIC_PAGES | typeof LIST_PAGES | typeof OTHER_PAGES;
  /** Kept when following the links. */
  fleet: string | undefined;
  /** The page that lists the present one. */
  within?: string | undefined;
}

function Pages({ pages, fleet, within }: PagesProps) {
  return pages.map(([to, name]) => (
    <Link
      key={to}
      to={to}
      search={inFleet({}, fleet)}
      activeProps={{ "aria-current": "page" }}
      activeOptions={{ includeSearch: false }}
      {...(to === within ? { "aria-current": "true" } : {})}
    >
      {name}
    </Link>
  ));
}

/** The logo: a scale with a pointer. */
function Gauge() {
  return (
    <svg width="20" height="18" viewBox="0 0 20 18" aria-hidden="true">
      <path d="M1 17V9M5.5 17V12M14.5 17V12M19 17V9" stroke="currentColor" strokeWidth="1.75" />
      <path d="M10 17V1" className={styles.pointer} strokeWidth="1.75" />
    </svg>
  );
}
