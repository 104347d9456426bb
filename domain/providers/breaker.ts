import CircuitBreaker from 'opossum';

/** When a connection is left alone, and for how long. */
export interface BreakerRules {
  /** What was seen within this time counts. */
  windowMs: number;
  /** Fewer calls than this in the window say nothing. */
  leastCalls: number;
  /** More failures than this among them, and the connection rests. */
  mostFailedPercent: number;
  /** How long it rests before one call may try it. */
  restMs: number;
  /** A call that was given less time than this and got no answer says more of us than of the provider. */
  leastPatienceMs: number;
}

/**
 * Long enough to see ten calls to the account of a small shop, whose one charge asks that often in a minute. A provider that answers
 * every second call still brings money. A payer waits half a minute, so a provider that is back is used again within one.
 */
export const breakerRules: BreakerRules = {
  windowMs: 60_000,
  leastCalls: 10,
  mostFailedPercent: 50,
  restMs: 30_000,
  leastPatienceMs: 5_000,
};

/** What a call tells of the provider's health; null: nothing. */
export type Health = 'answered' | 'failed' | null;

/** Watches the calls of one connection, and lets it rest when most of them fail. */
export interface Breaker extends Disposable {
  /** True while a call would not be let through. */
  isResting(): boolean;
  /** True when its rest is over and nobody has tried it since. */
  isOnTrial(): boolean;
  /**
   * Lets a call through, and learns from how it ends. While the connection rests nothing is called and `rested` is thrown; after the rest
   * calls pass one at a time until one of them is answered: so what is asked again and again trickles through.
   */
  run<T>(
    call: () => Promise<T>,
    healthOf: (error: unknown) => Health,
    rested: () => Error,
  ): Promise<T>;
}

export function createBreaker({
  windowMs,
  leastCalls,
  mostFailedPercent,
  restMs,
}: BreakerRules): Breaker {
  // It is told how calls ended and makes none itself: so one that tells nothing neither closes nor opens it.
  const circuit = new CircuitBreaker(reportOf, {
    timeout: false,
    rollingCountTimeout: windowMs,
    volumeThreshold: leastCalls,
    errorThresholdPercentage: mostFailedPercent,
    resetTimeout: restMs,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
  });
  let isTrying = false;
  const isOnTrial = () => circuit.halfOpen && !isTrying;
  const isResting = () => !circuit.closed && !isOnTrial();

  return {
    isResting,
    isOnTrial,
    async run(call, healthOf, rested) {
      if (isResting()) throw rested();
      const isTrial = !circuit.closed;
      isTrying = isTrial;
      // What was called before the rest began is no word on how it went.
      const tell = async (health: Health) => {
        if (health !== null && (isTrial || circuit.closed))
          await circuit.fire(health).catch(() => {});
      };
      try {
        const result = await call();
        await tell('answered');
        return result;
      } catch (error) {
        await tell(healthOf(error));
        throw error;
      } finally {
        if (isTrial) isTrying = false;
      }
    },
    [Symbol.dispose]: () => circuit.shutdown(),
  };
}

async function reportOf(health: Health): Promise<void> {
  if (health === 'failed') throw new Error('a call failed');
}
