import { queryOptions } from "@tanstack/react-query";
import createClient, {
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from "openapi-fetch";
import type { components, paths } from "./schema";

/** An error from the server, or a failure to reach it, in words for the reader. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  /** `?where` for a parameter, a JSON pointer for a field. */
  readonly pointer: string | undefined;
  /** Seconds after which the same request may succeed, if it may. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    body: Partial<components["schemas"]["Problem"]>,
    retryAfter?: number,
  ) {
    super(body.detail ?? `The server answered with status ${status}.`);
    this.name = "Problem";
    this.status = status;
    this.code = body.code ?? "unknown";
    this.title = body.title ?? "The server failed";
    this.pointer = body.pointer ?? undefined;
    this.retryAfter = retryAfter;
  }
}

/** Same origin; paths in the schema include /api/v1. */
export const client = createClient<paths>({ baseUrl: location.origin });

/** Delay before asking a server again that can't be reached. */
const UNREACHABLE_SECONDS = 10;

interface Outcome<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * Return a call's data, or throw its problem. The data of a change without a body (204) is
 * undefined.
 */
export async function dataOf<Data>(call: Promise<Outcome<Data>>): Promise<Data> {
  let outcome: Outcome<Data>;
  try {
    outcome = await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    const body = {
      code: "unreachable",
      title: "The server did not answer",
      detail: "Check that it is running and that this device is connected to it.",
    };
    throw new Problem(0, body, UNREACHABLE_SECONDS);
  }
  if (outcome.data !== undefined || outcome.response.ok) return outcome.data as Data;
  const { error, response } = outcome;
  const body = typeof error === "object" && error !== null ? error : {};
  const retryAfter = response.status === 503 ? response.headers.get("Retry-After") : null;
  throw new Problem(response.status, body, Number(retryAfter) || undefined);
}

type Paths = ClientPathsWithMethod<typeof client, "get">;
type Asked<Path extends Paths> = MaybeOptionalInit<paths[Path], "get">;
type Read<Path extends Paths, Init> = NonNullable<
  FetchResponse<paths[Path]["get"], Init, "application/json">["data"]
>;

/** The query that reads an address of the API; `key` is what invalidates it. */
export function read<Path extends Paths, Init extends Asked<Path>>(
  key: readonly unknown[],
  path: Path,
  ...[init]: undefined extends Init ? [Init?] : [Init]
) {
  return queryOptions({
    queryKey: key,
    queryFn: ({ signal }): Promise<Read<Path, Init>> => {
      const get = client.GET as (path: Path, init: unknown) => Promise<Outcome<Read<Path, Init>>>;
      return dataOf(get(path, { ...init, signal }));
    },
  });
}

/** Options of a call with these parameters in its path. */
export const inPath = <Path>(path: Path) => ({ params: { path } });
