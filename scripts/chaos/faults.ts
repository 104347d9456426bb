import type { ChaosStack, ProcessName } from './stack.ts';
import { services } from './stack.ts';

/** Something that goes wrong for a while. */
export interface Fault {
  /** What it may strike: one of these each time. */
  targets: readonly string[];
  /** How long it lasts, in ms: from, to. */
  lastsMs: readonly [number, number];
  begin(stack: ChaosStack, target: string): Promise<void>;
  end(stack: ChaosStack, target: string): Promise<void>;
}

/** Started again by its supervisor at once: the fault lasts until it answers again. */
const killed: Fault = {
  targets: [...services, 'redis', 'sandbox'],
  lastsMs: [0, 0],
  begin: async ({ processes }, target) => processes[target as ProcessName].signal('SIGKILL'),
  end: ({ processes }, target) => processes[target as ProcessName].untilReady(),
};

export const faults = {
  'kill -9': killed,
} satisfies Record<string, Fault>;

export type FaultKind = keyof typeof faults;
