/** One measurement: its load, its floor and its figures. */
export interface Bench {
  name: string;
  description: string;
  /** Descriptions by their flags. */
  options?: Readonly<Record<string, string>>;
  /** What one has to know to read its figures. */
  about: readonly string[];
  measure(run: BenchRun): Promise<Measured>;
}

export interface BenchRun {
  /** Aborted by Ctrl-C: the bench stops measuring and throws. */
  stopped: AbortSignal;
  print(line: string): void;
  options: Readonly<Record<string, string | undefined>>;
  /** What a bench starts ends with its run, the last first. */
  scope: AsyncDisposableStack;
  /** Started programs: what they printed last is shown when the bench fails. */
  programs: { name: string; tail(): Promise<string> }[];
}

export interface Measured {
  /** The object of `--json`, besides its name. */
  figures: Record<string, Figure>;
  details?: string[];
}

export type Figure = number | string | Figure[] | { [name: string]: Figure };

/** The measurement failed: a server died or a request was refused. The message says which. */
export class BenchFailure extends Error {}
