/** What goes wrong at a provider. Rates are 0 to 1. */
export interface Faults {
  latencyMs: number;
  errorRate: number;
  rateLimitRate: number;
  timeoutAfterAcceptRate: number;
  dropNotifications: boolean;
  duplicateNotifications: boolean;
  /** Each notification waits up to so long, so that later ones come first. */
  delayNotificationsMs: number;
}

/** Faults live in memory: a restarted sandbox has none. */
export const noFaults: Faults = {
  ...{ latencyMs: 0, errorRate: 0, rateLimitRate: 0, timeoutAfterAcceptRate: 0 },
  ...{ dropNotifications: false, duplicateNotifications: false, delayNotificationsMs: 0 },
};

/** Whether a fault of this rate happens this time. */
export const happens = (rate: number, random: () => number): boolean => rate > 0 && random() < rate;
