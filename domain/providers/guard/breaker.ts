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

/** What all processes saw within a window. */
export interface Outcomes {
  calls: number;
  failed: number;
}

/** Counts an outcome for all processes. Undefined: what they saw is not known, or not needed. */
export type CountForAll = (hasFailed: boolean) => Promise<Outcomes | undefined>;

export interface Breaker extends Disposable {
  isOpen(): boolean;
  isHalfOpen(): boolean;
  /** Another process says that the provider answers again. */
  close(): void;
  /** A half-open breaker runs one call at a time until one is answered in good time. */
  run<T>(
    call: () => Promise<T>,
    healthOf: (error: unknown, tookMs: number) => Health,
    openError: () => Error,
  ): Promise<T>;
}

/**
 * Opens by its own calls or, at a failed one while these are too few, by those of all processes:
 * many share a connection's calls, and what others say alone opens nothing. `onRecovery` is told of
 * a half-open call that was answered, `onOpen` of what failed when a closed one opened. None may
 * throw.
 */
export function createBreaker(
  rules: BreakerRules,
  nowMs: () => number,
  onRecovery: () => void = () => {},
  countForAll: CountForAll = async () => undefined,
  onOpen: (reason: string) => void = () => {},
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
  let probeUnderWay = false;
  const isHalfOpen = () => circuit.halfOpen && !probeUnderWay;
  const isOpen = () => !circuit.closed && !isHalfOpen();
  const learnFromAll = async (health: Health, reason: string) => {
    const seen = await countForAll(health !== 'answered');
    if (circuit.stats.fires >= minimumCalls) return;
    if (!seen || seen.calls < minimumCalls || !circuit.closed || circuit.isShutdown) return;
    if ((100 * seen.failed) / seen.calls <= maxFailedPercent) return;
    circuit.open();
    onOpen(reason);
  };

  return {
    isOpen,
    isHalfOpen,
    close: () => circuit.close(),
    async run(call, healthOf, openError) {
      if (isOpen()) throw openError();
      const isProbe = !circuit.closed;
      probeUnderWay = isProbe;
      // The outcome of a call that began before the breaker opened no longer counts.
      const record = async (health: Health, reason = 'answers are slow') => {
        if (health === null || !(isProbe || circuit.closed)) return;
        const { halfOpen: wasHalfOpen, closed: wasClosed } = circuit;
        await circuit.fire(health).catch(() => {});
        if (wasHalfOpen && circuit.closed) onRecovery();
        if (wasClosed && circuit.opened) onOpen(reason);
        void learnFromAll(health, reason);
      };
      const startedMs = nowMs();
      const healthOfEnd = (error?: unknown) => healthOf(error, nowMs() - startedMs);
      try {
        const result = await call();
        await record(healthOfEnd());
        return result;
      } catch (error) {
        await record(healthOfEnd(error), (error as Error).message);
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
