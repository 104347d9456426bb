/** autocannon brings no types: what is used of it. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface LoadRequest {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?: (request: LoadRequest) => LoadRequest;
  }

  export interface Options {
    url: string;
    connections: number;
    duration: number;
    /** Stops at the next sample once there were this many errors. */
    bailout: number;
    requests: LoadRequest[];
  }

  export interface Result {
    '2xx': number;
    non2xx: number;
    errors: number;
    statusCodeStats: Record<string, { count: number }>;
    /** Seconds. */
    duration: number;
  }

  export interface Run extends EventEmitter, PromiseLike<Result> {
    on(
      event: 'response',
      listener: (client: unknown, statusCode: number, bytes: number, durationMs: number) => void,
    ): this;
    stop(): void;
  }

  export default function autocannon(options: Options): Run;
}
