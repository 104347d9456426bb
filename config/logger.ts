import winston from 'winston';

export type Logger = Pick<winston.Logger, 'info' | 'warn' | 'error' | 'debug'>;

/** Of one message at `warn` or `error`, whatever its other fields. */
const LINES_A_SECOND = 10;

/**
 * One JSON object a line, by default on stderr: stdout is for what a command prints. During an
 * outage each request and job fails alike: of one message at `warn` or `error` ten lines a second
 * are written, and the next one says in `unlogged` how many were not. `nowMs` need not be a time of
 * day.
 */
export function createLogger(
  level: string,
  stream: NodeJS.WritableStream = process.stderr,
  nowMs: () => number = () => performance.now(),
) {
  return winston.createLogger({
    level,
    format: winston.format.combine(
      thinned(nowMs),
      winston.format.timestamp(),
      winston.format.json(),
    ),
    transports: [new winston.transports.Stream({ stream })],
  });
}

function thinned(nowMs: () => number): winston.Logform.Format {
  const written = new Map<unknown, { sinceMs: number; lines: number; unlogged: number }>();
  const transform = (line: winston.Logform.TransformableInfo) => {
    if (line.level !== 'error' && line.level !== 'warn') return line;
    const atMs = nowMs();
    const earlier = written.get(line.message);
    if (!earlier || atMs - earlier.sinceMs >= 1_000) {
      written.set(line.message, { sinceMs: atMs, lines: 1, unlogged: 0 });
      return earlier?.unlogged ? { ...line, unlogged: earlier.unlogged } : line;
    }
    if (earlier.lines < LINES_A_SECOND) {
      earlier.lines++;
      return line;
    }
    earlier.unlogged++;
    return false;
  };
  return { transform };
}
