import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import styles from "./DataTable.module.css";
import { type Sort, useSort } from "./sort";

/** A column that rows can be sorted by. */
export interface SortedBy<Row> {
  id: string;
  /** The sort key: numbers by size, texts in natural order. Missing ones come last. */
  of: (row: Row) => number | string | null | undefined;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

export interface Sorted<Row> {
  /** The same array until rows or order change. */
  rows: readonly Row[];
  /** The active order, if it is by one of these columns. */
  sort: Sort | undefined;
  /** Sort by the column, largest first for numbers; reverse the order when pressed again. */
  press: (id: string) => void;
}

/** Rows in the address's order, otherwise in the given order. */
export function useSorted<Row extends object>(
  rows: readonly Row[],
  columns: readonly SortedBy<Row>[],
): Sorted<Row> {
  const requested = useSort();
  const navigate = useNavigate();
  const sort = columns.some(({ id }) => id === requested?.id) ? requested : undefined;
  const sorting: SortingState = sort ? [sort] : [];
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    data,
    columns: useMemo(() => columns.map(columnOf<Row>), [columns]),
    state: { sorting },
    onSortingChange: (change) => {
      const [next] = typeof change === "function" ? change(sorting) : change;
      const sortTexts = next ? [`${next.desc ? "-" : ""}${next.id}`] : [];
      void navigate({
        to: ".",
        search: (previous) => ({ ...previous, sort: sortTexts.length > 0 ? sortTexts : undefined }),
        state: true,
        replace: true,
        resetScroll: false,
      });
    },
  });
  const model = table.getRowModel().rows;
  return {
    rows: useMemo(() => model.map(({ original }) => original), [model]),
    sort,
    press: (id) => table.getColumn(id)?.toggleSorting(),
  };
}

type Compared = number | string;

function columnOf<Row extends object>({ id, of }: SortedBy<Row>): ColumnDef<typeof features, Row> {
  return {
    id,
    accessorFn: (row) => of(row) ?? undefined,
    sortUndefined: "last",
    sortFn: (a, b, column) => inOrder(a.getValue<Compared>(column), b.getValue<Compared>(column)),
  };
}

function inOrder(a: Compared, b: Compared): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** The first number in a cell: "1,110", "7.41–7.80", "−3.2"; undefined if there is none. */
export function numberIn(text: string): number | undefined {
  const digits = /[-−]?\d[\d\s,]*(?:\.\d+)?/u.exec(text)?.[0];
  if (digits === undefined) return undefined;
  return Number(digits.replaceAll(/[\s,]/gu, "").replace("−", "-"));
}

interface HeadProps {
  id: string;
  sorted: Pick<Sorted<never>, "sort" | "press">;
  className?: string;
  title: ReactNode;
  unit?: string;
}

/** A heading that sorts its table. */
export function SortHead({ id, sorted: { sort, press }, className, title, unit }: HeadProps) {
  const now = sort?.id === id ? (sort.desc ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" className={className} aria-sort={now ?? "none"} data-sort={id}>
      <button type="button" className={styles.sort} onClick={() => press(id)}>
        {title}
        {now ? (
          <span className={styles.order} aria-hidden="true">
            {now === "ascending" ? "↑" : "↓"}
          </span>
        ) : null}
        {unit ? <span className="under">{unit}</span> : null}
      </button>
    </th>
  );
}

/** Words for a list's order, and that a reader sorted only the current page of it. */
export function useOrder(order: string, list?: { items: unknown[]; total: number }): string {
  const sort = useSort();
  const many = list?.items.length ?? 0;
  return sort && list && many < list.total
    ? `${order}; the ${many} on this page are sorted`
    : order;
}
