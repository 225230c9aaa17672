import { CORES } from "../features/cores/cores";
import { POWER } from "../features/power/power";
import { STORAGE } from "../features/storage/storage";
import { THREADS } from "../features/threads/threads";
import { WORKLOADS } from "../features/workloads/workloads";
import type { Topics } from "../questions/view";

/** The one list of topics, passed down to whatever needs them all. */
export const TOPICS: Topics = [STORAGE, THREADS, CORES, POWER, WORKLOADS];
