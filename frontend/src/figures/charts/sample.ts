/** One measured value with its position in a run. */
export interface Sample {
  /** Position in the run's sequence: 1 was measured first. */
  position: number;
  value: number;
  fileSize?: number;
  /** The parameters it was measured with: "2 MB". */
  parameters: string;
}
