/** The pages by name, in the order in which they are offered. */
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

/** About the figures and the reader's own: at the foot of every page. */
export const OTHER_PAGES = [
  ["/methods", "Methods"],
  ["/about", "About the data"],
  ["/docs/api", "The API"],
  ["/shortcuts", "Keyboard shortcuts"],
  ["/links", "My links"],
  ["/my-macs", "My Macs"],
] as const;
