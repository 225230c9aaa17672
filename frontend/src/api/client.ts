import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

/** An error from the server, or a failure to reach it, in words for the reader. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  /** `?where` for a parameter, a JSON pointer for a field. */
  readonly pointer: string | undefined;

  constructor(status: number, body: Partial<components["schemas"]["Problem"]>) {
    super(body.detail ?? `The server answered with status ${status}.`);
    this.name = "Problem";
    this.status = status;
    this.code = body.code ?? "unknown";
    this.title = body.title ?? "The server failed";
    this.pointer = body.pointer ?? undefined;
  }
}

/** Same origin; paths in the schema include /api/v1. */
export const client = createClient<paths>({ baseUrl: location.origin });

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
    throw new Problem(0, {
      code: "unreachable",
      title: "The server did not answer",
      detail: "Check that it is running and that this device is connected to it.",
    });
  }
  if (outcome.data !== undefined || outcome.response.ok) return outcome.data as Data;
  const { error, response } = outcome;
  throw new Problem(response.status, typeof error === "object" && error !== null ? error : {});
}
