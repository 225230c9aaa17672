import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Problem } from "./api/client";
import { nameDownloads } from "./ui/demo";
import { router } from "./routes/router";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/print.css";

const queries = new QueryClient({
  defaultOptions: {
    // The server may be on this Mac: without internet, requests still reach it, and those that don't
    // say so. By default they would wait for the internet, and the page with them.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      // New runs must show soon, so refetch anything older than this.
      staleTime: 5_000,
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof Problem) || error.status === 0 || error.status >= 500),
      // A page that a full or restarting server didn't answer says so, and asks again by itself.
      refetchInterval: ({ state: { error } }) =>
        error instanceof Problem && error.retryAfter ? error.retryAfter * 1_000 : false,
    },
  },
});

nameDownloads();
const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
