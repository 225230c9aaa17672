/** Pages by path and name, in display order. */
export const TOPIC_PAGES = [
  ["/storage", "Storage"],
  ["/threads", "Threads"],
  ["/cores", "Cores"],
  ["/power", "Power"],
  ["/workloads", "Workloads"],
  ["/machines", "Macs"],
  ["/compare", "Compare"],
] as const;

/** Lists of what was measured, which the header has as "Macs". */
export const LIST_PAGES = [
  ["/machines", "Macs"],
  ["/models", "Models"],
  ["/chips", "Chips"],
  ["/runs", "Runs"],
] as const;

/** Pages about the figures and the reader's own pages, in every footer. */
export const OTHER_PAGES = [
  ["/methods", "Methods"],
  ["/about", "About the data"],
  ["/docs/api", "The API"],
  ["/shortcuts", "Keyboard shortcuts"],
  ["/links", "My links"],
  ["/my-macs", "My Macs"],
] as const;
