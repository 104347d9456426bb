import type { Logger } from '../logger.ts';
import { noTracing, type Tracing, type TracingSettings } from './tracing.ts';

/** The libraries are loaded only where traces are sent somewhere. */
export async function openTracing(settings: TracingSettings | null, log: Logger): Promise<Tracing> {
  if (settings === null) return noTracing;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing(settings, log);
}
