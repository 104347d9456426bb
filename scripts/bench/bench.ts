/** One thing that is measured, with everything it needs started by itself and gone afterwards. */
export interface Bench {
  name: string;
  description: string;
  measure(hands: Hands): Promise<Measured>;
}

export interface Hands {
  /** Aborted by Ctrl-C: the bench stops measuring and throws. */
  stopped: AbortSignal;
  /** Tells a person what is going on; never on stdout. */
  say(line: string): void;
}

export interface Measured {
  /** The object of `--json`. */
  result: { name: string } & Record<string, number | string>;
  /** The same for people, with what it takes to read it. */
  report: string[];
}

/** The measurement itself went wrong: a server died, a request was refused. The message says what. */
export class BenchFailure extends Error {}
