import pg from 'pg';

export interface WatchedStatement {
  text: string;
  /** The function that waited for it: `/domain/…/file.ts:12`. */
  place: string;
  /** False: the ORM made it, with its values in the text. */
  isPrepared: boolean;
}

const seen = new Set<string>();
let untaken: WatchedStatement[] = [];

export function watchStatements(): void {
  for (const { prototype } of [pg.Pool, pg.Client]) {
    const query = prototype.query as (...args: unknown[]) => unknown;
    const watched = function (this: unknown, ...args: unknown[]): unknown {
      watch(args[0], watched);
      return query.apply(this, args);
    };
    Object.assign(prototype, { query: watched });
  }
}

function watch(statement: unknown, calledBy: () => unknown): void {
  const { name, text } =
    typeof statement === 'string'
      ? { name: undefined, text: withoutValues(statement) }
      : ((statement ?? {}) as { name?: string; text?: string });
  if (!text || seen.has(text)) return;
  seen.add(text);
  const place = placeOf(calledBy);
  if (place) untaken.push({ text, place, isPrepared: Boolean(name) });
}

/** The ORM writes values into a statement: it is one with the same parameters. */
function withoutValues(text: string): string {
  return text.replaceAll(/'(?:[^']|'')*'/g, '$1');
}

/** Statements of every layer pass through two files of `domain/shared`. */
const FRAME = /\/(domain(?!\/shared\/(?:sql|writes)\.)|api|workers|scripts|test)\/\S+\.ts:\d+/;

const ourLayers = new Set(['domain', 'api', 'workers']);

/** The place in our layers that waits for a call; undefined: another layer or a library does. */
function placeOf(calledBy: () => unknown): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  const here = { stack: '' };
  Error.captureStackTrace(here, calledBy);
  Error.stackTraceLimit = stackTraceLimit;
  const [place, layer = 'a library'] = FRAME.exec(here.stack) ?? [];
  return ourLayers.has(layer) ? place : undefined;
}

export function takeStatements(): readonly WatchedStatement[] {
  const taken = untaken;
  untaken = [];
  return taken;
}
