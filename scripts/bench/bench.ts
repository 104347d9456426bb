/** One measurement. It starts everything it needs and stops it afterwards. */
export interface Bench {
  name: string;
  description: string;
  /** Options of its own, besides `--json`. */
  options?: readonly { flags: string; description: string }[];
  measure(run: BenchRun): Promise<Measured>;
}

export interface BenchRun {
  /** Aborted by Ctrl-C: the bench stops measuring and throws. */
  stopped: AbortSignal;
  /** Prints progress for a person, never on stdout. */
  print(line: string): void;
  /** Its own options, as they were given. */
  options: Readonly<Record<string, string | undefined>>;
}

export interface Measured {
  /** The object of `--json`. */
  result: { name: string } & Record<string, Figure>;
  /** The same for people, with what it takes to read it. */
  report: string[];
}

/** A figure of `--json`. */
export type Figure = number | string | Figure[] | { [name: string]: Figure };

/** The measurement failed: a server died or a request was refused. The message says which. */
export class BenchFailure extends Error {}
