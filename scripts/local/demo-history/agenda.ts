/** What happens at which moment, in the order of time. */
export interface Agenda {
  /** Adds a step; a step of the same moment as another comes after it. */
  add(at: Date, step: Step): void;
  /** Takes the next step up to a moment; undefined: there is none. */
  take(until: Date): { at: Date; step: Step } | undefined;
}

export type Step = () => Promise<unknown>;

export function createAgenda(): Agenda {
  const entries: { at: Date; step: Step }[] = [];
  return {
    add(at, step) {
      const later = entries.findIndex((entry) => entry.at > at);
      entries.splice(later < 0 ? entries.length : later, 0, { at, step });
    },
    take: (until) => (entries[0] && entries[0].at <= until ? entries.shift() : undefined),
  };
}
