import { randomUUID } from "node:crypto";
import { uuid7 } from "./uuid7";

// A run of every suite, of two Macs and a guest, so that each view has something to draw. The
// figures are made up and follow simple rules, so that a test can compute them again.

type Parameters = Record<string, string | number>;
interface Series {
  metric: string;
  parameters: Parameters;
  values: number[];
}
interface Part {
  suite: string;
  method: string;
  series: Series[];
  [other: string]: unknown;
}

const TIERS = [
  { name: "Performance", cores: 10, clusters: [5, 5], max_frequency: 4_512_000_000 },
  { name: "Efficiency", cores: 4, clusters: [4], max_frequency: 2_592_000_000 },
];
const M4 = { model: "Mac16,11", model_name: "Mac mini", chip: "Apple M4 Pro", core_tiers: TIERS };
const M1 = { model: "Macmini9,1", model_name: "Mac mini", chip: "Apple M1" };

export interface SuiteRuns {
  host: string;
  /** The host's sampled power run, and a guest's run in the middle of it. */
  power: string;
  guest: string;
}

export interface Uploads {
  machine: string;
  documents: { id: string }[];
}

function one(metric: string, values: number[], parameters: Parameters = {}): Series {
  return { metric, parameters, values };
}

/** Three samples, 1% apart. */
const near = (value: number) => [value * 0.99, value, value * 1.01];

export function suiteUploads(): { uploads: Uploads[]; runs: SuiteRuns } {
  const [host, other, guest] = [randomUUID(), randomUUID(), randomUUID()];
  const start = Date.now() - 7_200_000;
  const make = (machine: string, about: object, part: Part, at = 0) => {
    const { suite, method, series, ...rest } = part;
    const started = new Date(start + at * 1000);
    return {
      schema: "macmeter.run/1",
      id: uuid7(started),
      suite,
      source: "measured",
      state: "complete",
      method: { name: method, version: 1, parameters: {} },
      started_at: started.toISOString(),
      finished_at: new Date(started.getTime() + 72_000).toISOString(),
      machine: { id: machine, ...about },
      environment: { os_version: "26.4", power_source: "ac", power_mode: "automatic" },
      series,
      ...rest,
    };
  };
  const power = make(host, M4, powerRun());
  const guests = make(
    guest,
    { model_name: "Virtual machine", chip: "Apple M4 Pro" },
    {
      ...compressionRun(0.8, { storage: "virtual_disk", encryption: "none" }),
      finished_at: new Date(start + 44_000).toISOString(),
      environment: {
        os_version: "26.4",
        virtual_machine: { vcpus: 5, software: "Viable", host_machine_id: host },
      },
    },
    24,
  );
  const uploads: Uploads[] = [
    {
      machine: host,
      documents: [
        power,
        make(host, M4, coresRun(1.6)),
        make(host, M4, compressionRun(1, { storage: "internal", encryption: "filevault" })),
        make(host, M4, diskRun(7.6e9, { storage: "internal", encryption: "filevault" })),
        make(host, M4, compressionRun(0.9, { storage: "thunderbolt5", encryption: "none" })),
        make(host, M4, hashRun()),
        ...images().map((part) => make(host, M4, part)),
        ...lowPower().map((part) => make(host, M4, part)),
        ...workloads().map((part, place) => make(host, M4, part, place * 600 - 40_000)),
      ],
    },
    { machine: other, documents: [make(other, M1, coresRun(1))] },
    {
      machine: guest,
      documents: [
        guests,
        make(
          guest,
          { model_name: "Virtual machine", chip: "Apple M4 Pro" },
          {
            ...diskRun(5.7e9, { storage: "virtual_disk", encryption: "none" }),
            environment: {
              os_version: "26.4",
              virtual_machine: { vcpus: 5, host_machine_id: host },
            },
          },
        ),
      ],
    },
  ];
  return { uploads, runs: { host, power: power.id, guest: guests.id } };
}

function coresRun(factor: number): Part {
  const kernels = { int64: 2.1e8, fp64: 1.8e8, neon: 3.2e8 };
  const contexts = { "Performance/high": 1, "Efficiency/background": 0.3 };
  const series = Object.entries(kernels).flatMap(([kernel, rate]) =>
    Object.entries(contexts).flatMap(([core_context, share]) =>
      [1, 2, 3, 4].flatMap((threads) => {
        const parameters = { kernel, core_context, threads };
        const time = (2.4 * (1 + 0.03 * threads)) / share / factor;
        return [
          one("cores.loop_rate", near((rate * share * factor) / (1 + 0.03 * threads)), parameters),
          one("cores.total_time", near(time * 1.04), parameters),
          one("cores.slowest_thread", near(time), parameters),
        ];
      }),
    ),
  );
  const added = Object.entries(kernels).map(([kernel, rate]) =>
    one("cores.added_loop_rate", near(rate * 0.4 * factor), {
      kernel,
      core_context: "Performance+Efficiency/high",
    }),
  );
  return { suite: "cores", method: "in-core", series: [...series, ...added] };
}

function compressionRun(factor: number, target: object): Part {
  const series = [1, 2, 3, 4, 8, 14].flatMap((threads) => {
    const speed = 3.1e8 * factor * threads ** 0.9;
    return [
      one("compression.speed", near(speed), { threads }),
      one("compression.duration", near(1_073_741_824 / speed), { threads }),
    ];
  });
  return { suite: "compression", method: "thread-sweep", target, series };
}

function diskRun(speed: number, target: object): Part {
  return {
    suite: "disk",
    method: "graded-files",
    target,
    series: [one("disk.write_average", near(speed)), one("disk.read_average", near(speed * 0.9))],
  };
}

function hashRun(): Part {
  return {
    suite: "hash",
    method: "stream-sha256",
    target: { storage: "thunderbolt5", encryption: "none" },
    series: [
      one("disk.stream_read_speed", near(6.4e9)),
      one("hash.sha256_speed", near(2.75e9)),
      one("hash.sha256_memory_speed", near(2.9e9)),
    ],
  };
}

function images(): Part[] {
  return ["15.6", "26.0", "26.4"].flatMap((os_version, place) =>
    ["asif", "sparsebundle"].flatMap((format) =>
      ["none", "image_aes256"].map((encryption) => ({
        ...diskRun((format === "asif" ? 4e9 : 5e9) * (1 + place / 10), {
          storage: "disk_image",
          encryption,
          image: { format, state: "new" },
        }),
        environment: { os_version, power_source: "ac" },
      })),
    ),
  );
}

function lowPower(): Part[] {
  return [
    { power_mode: "automatic", share: 1 },
    { power_mode: "low", share: 0.7 },
  ].map(({ power_mode, share }) => ({
    suite: "power",
    method: "sampled",
    environment: { os_version: "26.4", power_source: "ac", power_mode },
    series: [
      one("power.cpu_total", near(12 * share), {
        threads: 10,
        kernel: "fp64",
        core_context: "Performance/high",
      }),
      one("cores.frequency", near(4.1e9 * share), { tier: "Performance", active_cores: 10 }),
    ],
  }));
}

function workloads(): Part[] {
  return Array.from({ length: 12 }, (_, place) => {
    const iops = place < 6 ? "3000" : "12000";
    const time = (place < 6 ? 412 : 268) + place;
    return {
      suite: "workload",
      method: "repeat-command",
      labels: { iops },
      series: [one("workload.duration", near(time), { test: "build" })],
    };
  });
}

const SAMPLES = 720;

/** 14 cores sampled 720 times: quiet, eight busy threads, quiet. */
function powerRun(): Part {
  const clusters = [
    { name: "E-Cluster", cores: [0, 1, 2, 3], idle: 1.02e9, busy: 2.0e9 },
    { name: "P0-Cluster", cores: [4, 5, 6, 7, 8], idle: 1.26e9, busy: 4.4e9 },
    { name: "P1-Cluster", cores: [9, 10, 11, 12, 13], idle: 1.26e9, busy: 3.9e9 },
  ];
  const cpu: (number | string)[][] = [];
  const cores: (number | string)[][] = [];
  const total: (number | string)[][] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const t = Math.round(sample) / 10;
    const load = sample > 200 && sample < 560 ? 1 : 0;
    const wave = 0.05 * Math.sin(sample / 9);
    for (const { name, cores: numbers, idle, busy } of clusters) {
      const isFast = name !== "E-Cluster";
      const frequency = load && isFast ? busy * (1 + wave / 4) : idle;
      cpu.push([t, name, frequency, load && isFast ? 0.95 + wave : 0.2 + wave]);
      for (const core of numbers) {
        const active = load && isFast && core < 12 ? 0.95 + wave : 0.08 + wave;
        cores.push([t, name, core, frequency, active]);
      }
    }
    total.push([t, load ? 12.5 + 4 * wave : 0.4 + wave]);
  }
  return {
    suite: "power",
    method: "sampled",
    series: [1, 2, 3, 4].flatMap((threads) =>
      ["Performance/high", "Efficiency/background"].flatMap((core_context) => {
        const watts = core_context === "Performance/high" ? 1.3 : 0.11;
        const parameters = { threads, core_context, kernel: "fp64" };
        return [
          one("power.cpu_total", near(0.2 + watts * threads), parameters),
          one("energy.per_thread", near(watts * 3), parameters),
        ];
      }),
    ),
    traces: [
      { kind: "power", interval: 0.1, columns: ["t", "cpu"], rows: total },
      {
        kind: "cpu",
        interval: 0.1,
        columns: ["t", "cluster", "frequency", "active_residency"],
        rows: cpu,
      },
      {
        kind: "core",
        interval: 0.1,
        columns: ["t", "cluster", "core", "frequency", "active_residency"],
        rows: cores,
      },
    ],
  };
}
