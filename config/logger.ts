import winston from 'winston';

export type Logger = Pick<winston.Logger, 'info' | 'warn' | 'error' | 'debug'>;

/** One JSON object a line, by default on stderr: stdout is for what a command prints. */
export function createLogger(level: string, stream: NodeJS.WritableStream = process.stderr) {
  return winston.createLogger({
    level,
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream })],
  });
}
