import CircuitBreaker from 'opossum';

export interface BreakerRules {
  windowMs: number;
  minimumCalls: number;
  maxFailedPercent: number;
  openMs: number;
  /** A shorter call's time-out says nothing. */
  minimumTimeoutMs: number;
  /** Share of the call's time-out above which an answer is slow. */
  slowPercent: number;
}

/**
 * A small merchant's charge causes ten calls in a minute. Half a provider still earns money; a
 * payer waits half a minute.
 */
export const breakerRules: BreakerRules = {
  windowMs: 60_000,
  minimumCalls: 10,
  maxFailedPercent: 50,
  openMs: 10_000,
  minimumTimeoutMs: 5_000,
  slowPercent: 50,
};

export type Health = 'answered' | 'slow' | 'failed' | null;

export interface Breaker extends Disposable {
  isOpen(): boolean;
  isHalfOpen(): boolean;
  /** A half-open breaker runs one call at a time until one is answered in good time. */
  run<T>(
    call: () => Promise<T>,
    healthOf: (error: unknown, tookMs: number) => Health,
    openError: () => Error,
  ): Promise<T>;
}

/** `onClose` must not throw. */
export function createBreaker(
  rules: BreakerRules,
  nowMs: () => number,
  onClose: () => void = () => {},
): Breaker {
  const { windowMs, minimumCalls, maxFailedPercent, openMs } = rules;
  // Opossum only counts outcomes and makes no calls: an outcome that says nothing changes no state.
  const circuit = new CircuitBreaker(recordHealth, {
    timeout: false,
    rollingCountTimeout: windowMs,
    volumeThreshold: minimumCalls,
    errorThresholdPercentage: maxFailedPercent,
    resetTimeout: openMs,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
  });
  circuit.on('close', onClose);
  let probeUnderWay = false;
  const isHalfOpen = () => circuit.halfOpen && !probeUnderWay;
  const isOpen = () => !circuit.closed && !isHalfOpen();

  return {
    isOpen,
    isHalfOpen,
    async run(call, healthOf, openError) {
      if (isOpen()) throw openError();
      const isProbe = !circuit.closed;
      probeUnderWay = isProbe;
      // The outcome of a call that began before the breaker opened no longer counts.
      const record = async (health: Health) => {
        if (health !== null && (isProbe || circuit.closed))
          await circuit.fire(health).catch(() => {});
      };
      const startedMs = nowMs();
      const healthOfEnd = (error?: unknown) => healthOf(error, nowMs() - startedMs);
      try {
        const result = await call();
        await record(healthOfEnd());
        return result;
      } catch (error) {
        await record(healthOfEnd(error));
        throw error;
      } finally {
        if (isProbe) probeUnderWay = false;
      }
    },
    [Symbol.dispose]: () => circuit.shutdown(),
  };
}

async function recordHealth(health: Health): Promise<void> {
  if (health !== 'answered') throw new Error(`a call was ${health}`);
}
