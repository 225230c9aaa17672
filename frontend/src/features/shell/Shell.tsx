import { Link, Outlet } from "@tanstack/react-router";
import { Appearance } from "./Appearance";
import styles from "./Shell.module.css";

/** Head, page, foot: the same on every page. */
export function Shell() {
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the figures
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <Link to="/" className={styles.mark}>
            <Gauge />
            Macmeter
          </Link>
          <nav aria-label="Pages" className={styles.nav}>
            <Link
              to="/storage"
              activeProps={{ "aria-current": "page" }}
              activeOptions={{ includeSearch: false }}
            >
              Storage
            </Link>
            <Link
              to="/threads"
              activeProps={{ "aria-current": "page" }}
              activeOptions={{ includeSearch: false }}
            >
              Threads
            </Link>
            <Link
              to="/cores"
              activeProps={{ "aria-current": "page" }}
              activeOptions={{ includeSearch: false }}
            >
              Cores
            </Link>
            <Link
              to="/power"
              activeProps={{ "aria-current": "page" }}
              activeOptions={{ includeSearch: false }}
            >
              Power
            </Link>
            <Link
              to="/workloads"
              activeProps={{ "aria-current": "page" }}
              activeOptions={{ includeSearch: false }}
            >
              Workloads
            </Link>
            <Link
              to="/chips"
              activeProps={{ "aria-current": "page" }}
              activeOptions={{ includeSearch: false }}
            >
              Chips
            </Link>
            <Link
              to="/runs"
              activeProps={{ "aria-current": "page" }}
              activeOptions={{ includeSearch: false }}
            >
              Runs
            </Link>
          </nav>
          <Appearance />
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <footer className={styles.footer}>
        <p>
          Measured performance of Macs. Medians with their spread; hollow marks and daggers are
          published figures with their source.
        </p>
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
