export type Agenda = ReturnType<typeof createAgenda>;
type Step = () => Promise<unknown>;

/** What happens at which moment, in the order of time. */
export function createAgenda() {
  const entries: { at: Date; step: Step }[] = [];
  return {
    /** Adds a step; a step of the same moment as another comes after it. */
    add(at: Date, step: Step) {
      const later = entries.findIndex((entry) => entry.at > at);
      entries.splice(later < 0 ? entries.length : later, 0, { at, step });
    },
    /** Takes the next step up to a moment; undefined: there is none. */
    take: (until: Date) => (entries[0] && entries[0].at <= until ? entries.shift() : undefined),
  };
}
