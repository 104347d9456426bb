import { expect } from 'chai';
import { decideRefresh, type RefreshToken } from '../../../../domain/accounts/token/refresh.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const fresh: RefreshToken = {
  expiresAt: ago(-60),
  usedAt: null,
  successorUsedAt: null,
  isOver: false,
};

describe('A refresh token', () => {
  const cases: Record<string, [Partial<RefreshToken>, ReturnType<typeof decideRefresh>]> = {
    'that is unused is exchanged': [{}, 'exchange'],
    'that expires this moment is refused': [{ expiresAt: now }, 'refuse'],
    'of a sign-in that is over is refused': [{ isOver: true }, 'refuse'],
    'of an ended sign-in is refused, though it was used': [
      { isOver: true, usedAt: ago(1), successorUsedAt: ago(1) },
      'refuse',
    ],
    'used this moment is repeated': [{ usedAt: now }, 'repeat'],
    'used by one whose clock is ahead is repeated': [{ usedAt: ago(-1) }, 'repeat'],
    'used 30 seconds ago is repeated': [{ usedAt: ago(30) }, 'repeat'],
    'used longer ago is taken for stolen': [{ usedAt: ago(30.001) }, 'stolen'],
    'whose successor was used counts as stolen': [
      { usedAt: ago(1), successorUsedAt: ago(0) },
      'stolen',
    ],
    'that expired is refused, and no longer counts as stolen': [
      { usedAt: ago(99), expiresAt: ago(1) },
      'refuse',
    ],
  };
  for (const [title, [token, expected]] of Object.entries(cases))
    it(title, () => expect(decideRefresh({ ...fresh, ...token }, now)).to.equal(expected));
});
