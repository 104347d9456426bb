import winston from 'winston';

export type Logger = Pick<winston.Logger, 'info' | 'warn' | 'error' | 'debug'>;

/**
 * One JSON object a line, on stderr unless told otherwise: stdout belongs to what a command prints.
 */
export function createLogger(
  level: string,
  stream: NodeJS.WritableStream = process.stderr,
): winston.Logger {
  return winston.createLogger({
    level,
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream })],
  });
}
