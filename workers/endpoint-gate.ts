import type { DueRow } from '../domain/jobs.ts';

/** Sent to one endpoint at once, by this process. */
const MOST_IN_FLIGHT = 10;
/** To one that fails: enough to notice that it is well again, too few to fill the pool with waiting. */
const MOST_WHEN_FAILING = 2;
/** Remembered per endpoint; the others come back by themselves. */
const MOST_WAITING = 200;

/** Who may be sent something just now. An endpoint that hangs holds up nothing but itself. */
export interface EndpointGate {
  /**
   * True: send it, and `leave` afterwards. False: it is remembered, and must be put back. `isFailing` is what the books say of the
   * endpoint; what was seen here since goes before it.
   */
  enter(endpointId: string, isFailing: boolean, delivery: DueRow): boolean;
  /** What was sent has ended. Returns those remembered whose turn it is now. */
  leave(endpointId: string, succeeded: boolean): DueRow[];
}

interface Place {
  inFlight: number;
  isFailing: boolean;
  /** By id: one that came back by itself is remembered once. */
  waiting: Map<string, DueRow>;
}

/** A gate of one process. It remembers an endpoint for as long as something is on its way there, or waits. */
export function createEndpointGate(): EndpointGate {
  const places = new Map<string, Place>();
  const placeOf = (endpointId: string, isFailing: boolean): Place => {
    const place = places.get(endpointId) ?? { inFlight: 0, isFailing, waiting: new Map() };
    places.set(endpointId, place);
    return place;
  };
  const room = ({ inFlight, isFailing }: Place) =>
    (isFailing ? MOST_WHEN_FAILING : MOST_IN_FLIGHT) - inFlight;
  const call = (place: Place, most: number): DueRow[] => {
    const called = [...place.waiting.values().take(Math.max(0, Math.min(most, room(place))))];
    for (const { id } of called) place.waiting.delete(id);
    return called;
  };
  return {
    enter(endpointId, isFailing, delivery) {
      const place = placeOf(endpointId, isFailing);
      place.waiting.delete(delivery.id);
      const hasRoom = room(place) > 0;
      if (hasRoom) place.inFlight++;
      else if (place.waiting.size < MOST_WAITING) place.waiting.set(delivery.id, delivery);
      return hasRoom;
    },
    leave(endpointId, succeeded) {
      const place = places.get(endpointId)!;
      // Whoever leaves makes room for one; an endpoint that is well again has room for many.
      const most = succeeded && place.isFailing ? MOST_IN_FLIGHT : 1;
      place.inFlight--;
      place.isFailing = !succeeded;
      const called = call(place, most);
      if (place.inFlight === 0 && place.waiting.size === 0) places.delete(endpointId);
      return called;
    },
  };
}
