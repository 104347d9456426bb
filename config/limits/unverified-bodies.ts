const MB = 1_048_576;

/**
 * The most bytes of strangers' bodies: in all, from one network, for one receiver (a connection).
 * No network fills a receiver's share, and no receiver's senders the process's.
 */
export const unverifiedBounds = { process: 64 * MB, network: 12 * MB, receiver: 24 * MB };

/** A chunk takes this besides its bytes: with chunks of one byte it is nearly all. */
const CHUNK_OVERHEAD_BYTES = 512;

export interface HeldBody extends Disposable {
  /** False: that is too much, and the chunk is not counted. */
  take(bytes: number): boolean;
}

export interface UnverifiedBodies {
  hold(sender: { network: string; receiver?: string }): HeldBody;
}

export function createUnverifiedBodies(bounds = unverifiedBounds): UnverifiedBodies {
  const taken = new Map<string, number>();
  const sumOf = (subject: string) => taken.get(subject) ?? 0;
  const set = (subject: string, bytes: number) =>
    bytes === 0 ? taken.delete(subject) : taken.set(subject, bytes);
  return {
    hold({ network, receiver }) {
      const subjects: [name: string, bound: number][] = [
        ['process', bounds.process],
        [`network ${network}`, bounds.network],
      ];
      if (receiver !== undefined) subjects.push([`receiver ${receiver}`, bounds.receiver]);
      let held = 0;
      return {
        take(length) {
          const bytes = length + CHUNK_OVERHEAD_BYTES;
          if (subjects.some(([name, bound]) => sumOf(name) + bytes > bound)) return false;
          for (const [name] of subjects) set(name, sumOf(name) + bytes);
          held += bytes;
          return true;
        },
        [Symbol.dispose]() {
          for (const [name] of subjects) set(name, sumOf(name) - held);
          held = 0;
        },
      };
    },
  };
}
