import type { Env } from './env.ts';
import type { Logger } from './logger.ts';
import { noTracing, type Tracing } from './tracing.ts';

/** The libraries are loaded only where traces are sent somewhere. */
export async function openTracing(
  { tracing }: Pick<Env, 'tracing'>,
  log: Logger,
): Promise<Tracing> {
  if (tracing === null) return noTracing;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing(tracing, log);
}
