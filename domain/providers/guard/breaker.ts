import CircuitBreaker from 'opossum';

export interface BreakerRules {
  windowMs: number;
  minimumCalls: number;
  /** Of failed and slow calls. */
  maxFailedPercent: number;
  openMs: number;
  /** A time-out of a call with a shorter limit than this says nothing about the provider. */
  minimumTimeoutMs: number;
  /** An answer that takes a larger share of the call's time-out is slow. */
  slowPercent: number;
}

/**
 * The window is long enough for ten calls of a small merchant, whose single charge causes as many
 * in a minute. A provider that answers every second call still earns money. A payer waits half a
 * minute, so a provider that has recovered is used again well within one.
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
  /** True while it lets one call through to probe the provider, and none is under way. */
  isHalfOpen(): boolean;
  /**
   * Runs a call unless the breaker is open, and records how it ended. A half-open breaker runs one
   * call at a time until one is answered in good time.
   */
  run<T>(
    call: () => Promise<T>,
    healthOf: (error: unknown, tookMs: number) => Health,
    openError: () => Error,
  ): Promise<T>;
}

/** `onClose` is called when a breaker that was open closes; it must not throw. */
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
