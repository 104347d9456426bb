import type { DueRow } from '../../jobs.ts';

/** Deliveries in flight to one endpoint, from one process. */
const MAX_IN_FLIGHT = 10;
/**
 * The same for an endpoint that fails: enough to notice that it works again, too few to occupy the
 * pool.
 */
const MAX_IN_FLIGHT_WHEN_FAILING = 2;
/** Waiting deliveries remembered per endpoint; the sweeper enqueues the others. */
const MAX_WAITING = 200;

/** A semaphore for each endpoint: an endpoint that hangs delays its own deliveries only. */
export interface EndpointLimiter {
  /**
   * True: the delivery may be sent; call `release` when it has ended. False: as many are in flight
   * as may be, and the delivery is remembered. `isFailing` comes from the endpoint's row; what this
   * process saw while something was in flight takes precedence.
   */
  acquire(endpointId: string, isFailing: boolean, delivery: DueRow): boolean;
  /** One delivery has ended. Returns the remembered deliveries that may be sent now. */
  release(endpointId: string, succeeded: boolean): DueRow[];
}

interface EndpointState {
  inFlight: number;
  isFailing: boolean;
  /** By id, so that a delivery that is enqueued again while it waits is remembered once. */
  waiting: Map<string, DueRow>;
}

/**
 * The limits of one process. It remembers an endpoint while something is in flight to it or waits.
 */
export function createEndpointLimiter(): EndpointLimiter {
  const endpoints = new Map<string, EndpointState>();
  const stateOf = (endpointId: string, isFailing: boolean): EndpointState => {
    const state = endpoints.get(endpointId) ?? { inFlight: 0, isFailing, waiting: new Map() };
    endpoints.set(endpointId, state);
    return state;
  };
  const free = ({ inFlight, isFailing }: EndpointState) =>
    (isFailing ? MAX_IN_FLIGHT_WHEN_FAILING : MAX_IN_FLIGHT) - inFlight;
  const takeWaiting = (state: EndpointState, limit: number): DueRow[] => {
    const taken = [...state.waiting.values().take(Math.max(0, Math.min(limit, free(state))))];
    for (const { id } of taken) state.waiting.delete(id);
    return taken;
  };
  return {
    acquire(endpointId, isFailing, delivery) {
      const state = stateOf(endpointId, isFailing);
      state.waiting.delete(delivery.id);
      const isFree = free(state) > 0;
      if (isFree) state.inFlight++;
      else if (state.waiting.size < MAX_WAITING) state.waiting.set(delivery.id, delivery);
      return isFree;
    },
    release(endpointId, succeeded) {
      const state = endpoints.get(endpointId)!;
      // One ended, so one may follow. To an endpoint that works again many may be sent at once.
      const limit = succeeded && state.isFailing ? MAX_IN_FLIGHT : 1;
      state.inFlight--;
      state.isFailing = !succeeded;
      const next = takeWaiting(state, limit);
      if (state.inFlight === 0 && state.waiting.size === 0) endpoints.delete(endpointId);
      return next;
    },
  };
}
