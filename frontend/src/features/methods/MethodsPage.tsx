import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { catalogQuery } from "../../api/queries";
import type { CatalogMetric } from "../../api/types";
import { useTitle } from "../../ui/useTitle";
import { METHODS, type Method } from "./methods";
import styles from "../../ui/Prose.module.css";

/** How each figure is measured, and how it could mislead. */
export function MethodsPage() {
  useTitle("Methods");
  const catalog = useQuery(catalogQuery);
  // Scroll again once the lists of metrics have moved what is below them.
  useEffect(showAnchor, [catalog.isSuccess]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Methods</h1>
        <p className={styles.lead}>
          How each figure is measured, and what could make it misleading. Published figures were
          measured by their authors’ methods; <Link to="/about">About the data</Link> lists them.
        </p>
      </header>
      <nav aria-label="Methods" className={styles.contents}>
        <ul>
          {METHODS.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.main}>
        {METHODS.map((method) => (
          <Section
            key={method.id}
            method={method}
            metrics={metricsOf(method, catalog.data?.metrics)}
          />
        ))}
      </div>
    </div>
  );
}

function Section({ method, metrics }: { method: Method; metrics: CatalogMetric[] }) {
  return (
    <section id={method.id} className={styles.section} aria-labelledby={`${method.id}-title`}>
      <h2 id={`${method.id}-title`}>{method.title}</h2>
      {method.names.length > 0 ? (
        <p className={styles.names}>
          {method.names.map((name, index) => (
            <span key={name}>
              {index > 0 ? ", " : ""}
              <code>{name}</code>
            </span>
          ))}
        </p>
      ) : null}
      <p>{method.lead}</p>
      {method.steps ? (
        <ol className={styles.steps}>
          {method.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      ) : null}
      <h3>Traps</h3>
      <ul className={styles.list}>
        {method.traps.map((trap) => (
          <li key={trap}>{trap}</li>
        ))}
      </ul>
      {metrics.length > 0 ? (
        <>
          <h3>Metrics</h3>
          <dl className={styles.metrics}>
            {metrics.map(({ name, title, about }) => (
              <Metric key={name} title={title} about={about} />
            ))}
          </dl>
        </>
      ) : null}
    </section>
  );
}

function Metric({ title, about }: { title: string; about: string }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{about}</dd>
    </>
  );
}

/** The metrics of a suite, listed under the first of its methods. */
function metricsOf(method: Method, metrics: CatalogMetric[] = []): CatalogMetric[] {
  if (METHODS.find(({ suite }) => suite === method.suite) !== method) return [];
  return metrics.filter(({ suite }) => suite === method.suite);
}

/** Scroll to the anchor: the page loads after the browser has looked for it. */
function showAnchor() {
  const id = location.hash.slice(1);
  if (METHODS.some((method) => method.id === id)) document.getElementById(id)?.scrollIntoView();
}
