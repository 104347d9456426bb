import { SetupError } from '../../config/setup-error.ts';
import { type Dice, diceOf } from '../local/demo-history/random.ts';
import type { Fault } from './faults.ts';

/** When a fault of which kind strikes what, and for how long. */
export interface PlannedFault<Kind extends string> {
  kind: Kind;
  target: string;
  atMs: number;
  forMs: number;
}

/** The service works undisturbed first, and between faults. */
const FIRST_AT_MS = 5_000;
const BETWEEN_MS = [3_000, 8_000] as const;

/** Draws the faults of a run from its seed: every kind once before any comes again. */
export function planFaults<Kind extends string>(
  faults: Record<Kind, Fault>,
  seed: number,
  durationMs: number,
): PlannedFault<Kind>[] {
  const dice = diceOf(seed);
  const kinds = Object.keys(faults) as Kind[];
  if (kinds.length === 0) none();
  const nextTargetOf = new Map(kinds.map((kind) => [kind, dealer(dice, faults[kind].targets)]));
  const nextKind = dealer(dice, kinds);
  const plan: PlannedFault<Kind>[] = [];
  let atMs = FIRST_AT_MS;
  while (atMs < durationMs) {
    const kind = nextKind();
    const [least, most] = faults[kind].lastsMs ?? [0, 0];
    const forMs = dice.between(least, most);
    plan.push({ kind, target: nextTargetOf.get(kind)!(), atMs, forMs });
    atMs += forMs + dice.between(...BETWEEN_MS);
  }
  return plan;
}

/** The one fault there is, for as long. */
export function planOutage(faults: Record<string, Fault>, forMs: number): PlannedFault<string>[] {
  const [[kind, { targets }] = none(), ...others] = Object.entries(faults);
  if (others.length > 0) throw new SetupError('An outage is one fault.');
  return [{ kind, target: targets[0]!, atMs: FIRST_AT_MS, forMs }];
}

function none(): never {
  throw new SetupError('There is no such fault, or it cannot strike here.');
}

/** Deals shuffled cards, and shuffles them again when all are dealt. */
function dealer<Card>(dice: Dice, cards: readonly Card[]): () => Card {
  let left: Card[] = [];
  return () => {
    if (left.length === 0) left = [...cards];
    return left.splice(dice.between(0, left.length - 1), 1)[0]!;
  };
}
