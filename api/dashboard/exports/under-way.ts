import { Problem } from '../../../domain/shared/problems.ts';

const MOST = 2;

/** Each export reads page after page for as long as its reader takes. */
export function exportsUnderWay() {
  const underWay = new Map<string, number>();

  /** Throws 429 when the member has as many under way as they may. */
  return async function bounded(memberId: string, send: () => Promise<void>): Promise<void> {
    const before = underWay.get(memberId) ?? 0;
    if (before >= MOST) throw tooMany();
    underWay.set(memberId, before + 1);
    try {
      await send();
    } finally {
      const left = underWay.get(memberId)! - 1;
      if (left > 0) underWay.set(memberId, left);
      else underWay.delete(memberId);
    }
  };
}

function tooMany(): Problem {
  return new Problem(
    'rate_limited',
    'Two of your exports are still under way. Wait until one is done, or cancel it.',
    { headers: { 'Retry-After': '10' } },
  );
}
