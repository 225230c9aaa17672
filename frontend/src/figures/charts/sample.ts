/** One measured value at its place in a run. */
export interface Sample {
  /** Place in the sequence of the run: 1 is the first that was measured. */
  position: number;
  value: number;
  fileSize?: number;
  /** What it was measured with: "2 MB". */
  parameters: string;
}
