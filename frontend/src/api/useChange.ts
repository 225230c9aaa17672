import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/** A change after which the queries of that key are read again; without a key, all are. */
export function useChange<Result, Of = void>(
  change: (of: Of) => Promise<Result>,
  queryKey?: QueryKey,
  done?: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      done?.();
      return queries.invalidateQueries(queryKey ? { queryKey } : {});
    },
  });
}
