/** Pages by path and name, in display order. */
export const TOPIC_PAGES = [
  ["/storage", "Storage"],
  ["/threads", "Threads"],
  ["/cores", "Cores"],
  ["/power", "Power"],
  ["/workloads", "Workloads"],
  ["/chips", "Chips"],
  ["/machines", "Macs"],
  ["/runs", "Runs"],
  ["/compare", "Compare"],
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
