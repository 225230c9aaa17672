import type { components } from "./schema";

// Names for the generated shapes: nothing about the wire is written down here a second time.
type Schemas = components["schemas"];

export type Answer = Schemas["Answer"];
export type MetricResult = Schemas["MetricAnswer"];
export type Group = Schemas["Group"] & {
  mixes?: { dimension: string; count: number }[] | null;
  mix?: string | null;
};
export type Key = Group["key"];
export type Scalar = Key[string];
export type PublishedFigure = Schemas["AnsweredFigure"];
export type Citation = Schemas["Citation"];
export type CountedFlag = Schemas["CountedFlag"];
export type Term = Schemas["Term"];
export type Catalog = Schemas["Catalog"];
export type CatalogMetric = Schemas["CatalogMetric"];
export type CatalogDimension = Schemas["CatalogDimension"] & { plural?: string };
export type Facets = Schemas["Facets"];
export type Facet = Schemas["Facet"];
export type SavedAnswer = Schemas["SavedAnswer"];
export type SavedSides = Schemas["SavedSides"];
export type Comparison = SavedAnswer | SavedSides;
export type ComparisonChange = Schemas["ComparisonChange"];
export type Chips = Schemas["Chips"];
export type Chip = Schemas["Chip"];
export type ChipFact = Schemas["ChipFact"];
export type PublishedSources = Schemas["Sources"];
export type PublishedSource = Schemas["Source"];
export type SourceFigure = Schemas["SourceFigure"];
export type Runs = Schemas["Runs"];
export type RunSummary = Schemas["RunSummary"];
export type ChiefFigure = Schemas["ChiefFigure"];
export type RunDetail = Schemas["RunDetail"];
export type RunResult = Schemas["RunResult"];
export type Residency = Schemas["Residency"];
export type ResidencyGroup = Schemas["ResidencyGroup"];
export type Compared = Schemas["Compared"];
export type ComparedRow = Schemas["Row"];
export type ComparedCell = Schemas["Cell"];
export type SideRatio = Schemas["SideRatio"];
export type Machines = Schemas["Machines"];
export type MachineSummary = Schemas["MachineSummary"];
export type MachineDetail = Schemas["MachineDetail"];
export type Timeline = Schemas["Timeline"];
export type TimelineLine = Schemas["Line"];
export type Percentile = Schemas["Percentile"];
