import { CORES } from "../features/cores/cores";
import { POWER } from "../features/power/power";
import { STORAGE } from "../features/storage/storage";
import { THREADS } from "../features/threads/threads";
import { WORKLOADS } from "../features/workloads/workloads";
import type { Topics } from "../questions/view";

/** The only list of topics, passed down to everything that needs all of them. */
export const TOPICS: Topics = [STORAGE, THREADS, CORES, POWER, WORKLOADS];
