import type { ProviderName } from './records.ts';

/** What goes wrong at a provider. Rates are 0 to 1. */
export interface Faults {
  latencyMs: number;
  errorRate: number;
  rateLimitRate: number;
  timeoutAfterAcceptRate: number;
  dropNotifications: boolean;
  duplicateNotifications: boolean;
}

export interface FaultBoard {
  of(provider: ProviderName): Faults;
  /** States the whole set of faults of a provider: whatever is left out is off. */
  set(provider: ProviderName, faults: Partial<Faults>): void;
}

const noFaults: Faults = {
  latencyMs: 0,
  errorRate: 0,
  rateLimitRate: 0,
  timeoutAfterAcceptRate: 0,
  dropNotifications: false,
  duplicateNotifications: false,
};

/** Faults live in memory: they belong to an experiment, and a restarted sandbox is a healthy one. */
export function createFaultBoard(): FaultBoard {
  const faultsByProvider = new Map<ProviderName, Faults>();
  return {
    of: (provider) => faultsByProvider.get(provider) ?? noFaults,
    set: (provider, faults) => void faultsByProvider.set(provider, { ...noFaults, ...faults }),
  };
}

/** Whether a fault of this rate strikes this time. */
export function strikes(rate: number, random: () => number): boolean {
  return rate > 0 && random() < rate;
}
