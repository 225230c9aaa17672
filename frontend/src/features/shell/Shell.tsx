import { Link, Outlet } from "@tanstack/react-router";
import { IS_DEMO } from "../../ui/demo";
import { useCurrentInView } from "../../ui/useCurrentInView";
import { Appearance } from "./Appearance";
import { OTHER_PAGES, TOPIC_PAGES } from "./pages";
import styles from "./Shell.module.css";

/** Head, page, foot: the same on every page. */
export function Shell() {
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
            {TOPIC_PAGES.map(([to, name]) => (
              <Link
                key={to}
                to={to}
                activeProps={{ "aria-current": "page" }}
                activeOptions={{ includeSearch: false }}
              >
                {name}
              </Link>
            ))}
          </nav>
          <Appearance />
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <footer className={styles.footer}>
        <div className={styles.foot}>
          <p>
            Measured performance of Macs. Medians with their spread; hollow marks and daggers are
            published figures with their source.
          </p>
          <nav aria-label="More pages" className={styles.more}>
            {OTHER_PAGES.map(([to, name]) => (
              <Link
                key={to}
                to={to}
                activeProps={{ "aria-current": "page" }}
                activeOptions={{ includeSearch: false }}
              >
                {name}
              </Link>
            ))}
          </nav>
        </div>
      </footer>
    </div>
  );
}

/** A scale with its pointer. */
function Gauge() {
  return (
    <svg width="20" height="18" viewBox="0 0 20 18" aria-hidden="true">
      <path d="M1 17V9M5.5 17V12M14.5 17V12M19 17V9" stroke="currentColor" strokeWidth="1.75" />
      <path d="M10 17V1" className={styles.pointer} strokeWidth="1.75" />
    </svg>
  );
}
