import type { DueDelivery } from '../domain/webhook/attempted.ts';

/** Sent to one endpoint at once, by this process. */
const MOST_IN_FLIGHT = 10;
/** To one that fails: enough to notice that it is well again, too few to fill the pool with waiting. */
const MOST_WHEN_FAILING = 2;
/** Remembered per endpoint; the others come back by themselves. */
const MOST_WAITING = 200;

/** Who may be sent something just now. An endpoint that hangs holds up nothing but itself. */
export interface EndpointGate {
  /** True: send it, and `leave` afterwards. False: it is remembered, and must be put back. */
  enter(endpointId: string, delivery: DueDelivery): boolean;
  /** What was sent has ended. Returns those remembered whose turn it is now. */
  leave(endpointId: string, succeeded: boolean): DueDelivery[];
}

interface Place {
  inFlight: number;
  isFailing: boolean;
  waiting: DueDelivery[];
}

/** A gate of one process, all endpoints well. */
export function createEndpointGate(): EndpointGate {
  const places = new Map<string, Place>();
  const room = ({ inFlight, isFailing }: Place) => (isFailing ? MOST_WHEN_FAILING : MOST_IN_FLIGHT) - inFlight;
  return {
    enter(endpointId, delivery) {
      const place = places.get(endpointId) ?? { inFlight: 0, isFailing: false, waiting: [] };
      places.set(endpointId, place);
      const hasRoom = room(place) > 0;
      if (hasRoom) place.inFlight++;
      else if (place.waiting.length < MOST_WAITING) place.waiting.push(delivery);
      return hasRoom;
    },
    leave(endpointId, succeeded) {
      const place = places.get(endpointId)!;
      place.inFlight--;
      place.isFailing = !succeeded;
      const called = place.waiting.splice(0, Math.max(0, room(place)));
      if (place.inFlight === 0 && called.length === 0 && succeeded) places.delete(endpointId);
      return called;
    },
  };
}
