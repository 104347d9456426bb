import type { DueRow } from '../../jobs.ts';

/** Deliveries in flight to one endpoint, from one process. */
const MAX_IN_FLIGHT = 10;
/**
 * To an endpoint that fails: enough to notice that it works again, too few to fill the pool with
 * waiting.
 */
const MAX_IN_FLIGHT_WHEN_FAILING = 2;
/** Deliveries remembered per endpoint; the sweeper brings the others back. */
const MAX_WAITING = 200;

/** A semaphore per endpoint: one that hangs holds up nobody's deliveries but its own. */
export interface EndpointLimiter {
  /**
   * True: takes a slot; call `release` when the delivery has ended. False: all slots are taken, and
   * the delivery is remembered. `isFailing` is what the endpoint's row says; what this process saw
   * while something was in flight goes before it.
   */
  acquire(endpointId: string, isFailing: boolean, delivery: DueRow): boolean;
  /** Frees a slot. Returns the remembered deliveries that may be sent now. */
  release(endpointId: string, succeeded: boolean): DueRow[];
}

interface Slots {
  inFlight: number;
  isFailing: boolean;
  /** By id, so that a delivery that comes back while it waits is remembered once. */
  waiting: Map<string, DueRow>;
}

/**
 * The limits of one process. It remembers an endpoint while something is in flight to it or waits.
 */
export function createEndpointLimiter(): EndpointLimiter {
  const endpoints = new Map<string, Slots>();
  const slotsOf = (endpointId: string, isFailing: boolean): Slots => {
    const slots = endpoints.get(endpointId) ?? { inFlight: 0, isFailing, waiting: new Map() };
    endpoints.set(endpointId, slots);
    return slots;
  };
  const free = ({ inFlight, isFailing }: Slots) =>
    (isFailing ? MAX_IN_FLIGHT_WHEN_FAILING : MAX_IN_FLIGHT) - inFlight;
  const takeWaiting = (slots: Slots, limit: number): DueRow[] => {
    const taken = [...slots.waiting.values().take(Math.max(0, Math.min(limit, free(slots))))];
    for (const { id } of taken) slots.waiting.delete(id);
    return taken;
  };
  return {
    acquire(endpointId, isFailing, delivery) {
      const slots = slotsOf(endpointId, isFailing);
      slots.waiting.delete(delivery.id);
      const isFree = free(slots) > 0;
      if (isFree) slots.inFlight++;
      else if (slots.waiting.size < MAX_WAITING) slots.waiting.set(delivery.id, delivery);
      return isFree;
    },
    release(endpointId, succeeded) {
      const slots = endpoints.get(endpointId)!;
      // One ended, so one may follow. An endpoint that works again has many slots free at once.
      const limit = succeeded && slots.isFailing ? MAX_IN_FLIGHT : 1;
      slots.inFlight--;
      slots.isFailing = !succeeded;
      const next = takeWaiting(slots, limit);
      if (slots.inFlight === 0 && slots.waiting.size === 0) endpoints.delete(endpointId);
      return next;
    },
  };
}
