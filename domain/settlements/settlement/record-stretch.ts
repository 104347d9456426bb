import type { SettlementLine } from '../../providers/port/settlement.ts';
import type { SettlementContext } from './context.ts';
import { type LandedSettlement, recordLines } from './match-lines.ts';
import { AssignedElsewhere, settleLines } from './settle-lines.ts';

/** Their charges are locked meanwhile. */
const LINES_PER_TX = 500;
/** One is in the database while the other is prepared. */
const LANES = 2;

/** Where lines name a payment twice, the later one stands. */
export async function recordStretch(
  context: SettlementContext,
  settlement: LandedSettlement,
  stretch: readonly SettlementLine[],
): Promise<void> {
  const lines = [...new Map(stretch.map((line) => [line.providerPaymentId, line])).values()];
  const parts = Array.from({ length: Math.ceil(lines.length / LINES_PER_TX) }, (_, n) =>
    lines.slice(n * LINES_PER_TX, (n + 1) * LINES_PER_TX),
  ).values();
  const recordNext = async () => {
    for (const part of parts) await recordPart(context, settlement, part);
  };
  await Promise.all(Array.from({ length: LANES }, recordNext));
}

async function recordPart(
  context: SettlementContext,
  settlement: LandedSettlement,
  part: readonly SettlementLine[],
): Promise<void> {
  const { account, inTx } = context;
  const clear = part.filter(({ unclear }) => unclear === undefined);
  const unclear = part.filter((line) => !clear.includes(line));
  const others = [...(await settleOrLeave(context, settlement, clear)), ...unclear];
  if (others.length > 0) await inTx((tx) => recordLines(tx, account, settlement, others));
}

/** Nothing of it is committed. */
const isDeadlock = (error: unknown) => (error as { code?: unknown }).code === '40P01';

async function settleOrLeave(
  context: SettlementContext,
  settlement: LandedSettlement,
  part: readonly SettlementLine[],
): Promise<readonly SettlementLine[]> {
  try {
    return await context.inTx((tx) => settleLines(tx, context.account, settlement, part));
  } catch (error) {
    if (error instanceof AssignedElsewhere || isDeadlock(error)) return part;
    throw error;
  }
}
